//! How fast BVH files are read and written, in bytes of the file per second.
//!
//! `read` is all of [`bvh::read`]: from bytes to checked quaternions in metres.
#![allow(missing_docs, clippy::unwrap_used)]

use andante_formats::{ReadOptions, bvh};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn read_and_write(criterion: &mut Criterion) {
    let Some(directory) = andante_testdata::mocap("cmu") else { return };
    let paths = andante_testdata::files(&directory, "bvh");
    let files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let bytes = files.iter().map(Vec::len).sum::<usize>() as u64;
    let options = ReadOptions::default();

    let mut group = criterion.benchmark_group("bvh");
    group.sample_size(20).throughput(Throughput::Bytes(bytes));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            for file in &files {
                black_box(bvh::read(black_box(file), "clip", &options).unwrap());
            }
        });
    });
    let assets: Vec<_> =
        files.iter().map(|file| bvh::read(file, "clip", &options).unwrap()).collect();
    let write = || -> usize {
        let texts = assets.iter().map(|asset| {
            bvh::write(&asset.skeleton, &asset.clips[0], &bvh::BvhWriteOptions::default())
        });
        texts.map(|text| black_box(text).len()).sum()
    };
    group.throughput(Throughput::Bytes(write() as u64));
    group.bench_function("write", |bencher| {
        bencher.iter_batched(|| (), |()| write(), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, read_and_write);
criterion_main!(benches);
