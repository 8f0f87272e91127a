//! Searches are repeatable, can be interrupted, and refuse what is not theirs.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_body::creature;
use andante_gait::{
    CheckpointError, Evaluator, FoundGait, GaitProblem, GaitSketch, Method, ProblemOptions, Search,
    SearchOptions,
};
use std::path::Path;
use std::sync::Arc;

fn problem(name: &str) -> Arc<GaitProblem> {
    let sketch = GaitSketch::built_in(name).unwrap();
    let body = creature(&sketch.character).unwrap();
    // Coarse steps: these searches are not to find anything.
    let options = ProblemOptions::default().with_step(0.005);
    Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap())
}

/// Few samples and generations, so that least squares get their turn soon.
fn options(method: Method) -> SearchOptions {
    SearchOptions { method, population: Some(8), generations: 4, ..SearchOptions::default() }
}

fn steps(search: &mut Search, count: usize) {
    for _ in 0..count {
        search.step();
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let problem = problem("basic-run");
    let run = |threads: usize| {
        let mut search =
            Search::new(Arc::clone(&problem), &options(Method::Direct), threads).unwrap();
        steps(&mut search, 7);
        (search.best().cloned(), search.history().to_vec(), search.evaluations())
    };
    let one = run(1);
    assert!(one.0.is_some() && one.1.len() == 7);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn a_search_resumed_goes_on_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let problem = problem("basic-run");
    for method in [Method::Direct, Method::Published] {
        let mut whole = Search::new(Arc::clone(&problem), &options(method), 1).unwrap();
        // Interrupted while sampling and while closing.
        for at in [2, 6] {
            let path = folder.path().join(format!("{method:?}-{at}.bin"));
            while whole.history().len() < at {
                whole.step();
            }
            whole.save(&path).unwrap();
            let mut resumed = Search::resume(Arc::clone(&problem), &path, 2).unwrap();
            assert_eq!(resumed.best(), whole.best());
            let mut other = Search::resume(Arc::clone(&problem), &path, 1).unwrap();
            steps(&mut resumed, 3);
            steps(&mut other, 1);
            other.save(&path).unwrap();
            let mut other = Search::resume(Arc::clone(&problem), &path, 1).unwrap();
            steps(&mut other, 2);
            assert_eq!(resumed.history(), other.history());
            assert_eq!(resumed.best(), other.best());
        }
        if method == Method::Direct {
            let (first, last) = (whole.history()[0], whole.history()[whole.history().len() - 1]);
            assert!(last.merit < first.merit, "{first:?} {last:?}");
        }
    }
}

#[test]
fn checkpoints_of_others_and_broken_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search.bin");
    let ours = problem("kangaroo-hop");
    let mut search = Search::new(Arc::clone(&ours), &options(Method::Direct), 1).unwrap();
    search.step();
    search.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8], problem: &Arc<GaitProblem>| {
        std::fs::write(&path, bytes).unwrap();
        match Search::resume(Arc::clone(problem), &path, 1) {
            Err(error) => error,
            Ok(_) => panic!("read"),
        }
    };
    assert!(matches!(refused(&bytes, &problem("basic-run")), CheckpointError::Other(_)));
    for cut in [9, 30, 100, bytes.len() - 1] {
        let error = refused(&bytes[..cut], &ours);
        assert!(error.to_string().contains("copied incompletely"), "{cut}: {error}");
    }
    for cut in [0, 5] {
        let error = refused(&bytes[..cut], &ours).to_string();
        assert!(error.contains("this is not a search file"), "{error}");
    }
    let mut newer = bytes.clone();
    newer[8] = 99;
    let error = refused(&newer, &ours);
    assert!(error.to_string().contains("search file of version 99"), "{error}");
    let mut damaged = bytes.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let error = refused(&damaged, &ours).to_string();
    assert!(error.contains("its checksum does not match"), "{error}");
    let absent = Search::resume(ours, Path::new("/nowhere/search.bin"), 1);
    assert!(matches!(absent, Err(CheckpointError::Io { .. })));
}

#[test]
fn a_gait_written_and_read_again_is_the_same_gait() {
    let problem = problem("one-foot-hop");
    let mut search = Search::new(Arc::clone(&problem), &options(Method::Direct), 1).unwrap();
    search.step();
    let best = search.best().unwrap();
    let gait = FoundGait::new(&problem, best);
    let again = FoundGait::from_toml(&gait.to_toml().unwrap()).unwrap();
    assert_eq!(gait, again);
    let candidate = again.candidate(&problem).unwrap();
    assert_eq!(candidate, problem.decode(&best.point));
    let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
    assert_eq!(evaluator.try_out(&[candidate])[0], best.trial);
    let other = self::problem("kangaroo-hop");
    assert!(gait.candidate(&other).is_err());
    assert!(FoundGait::from_toml("version = 1").is_err());
    let later = gait.to_toml().unwrap().replace("version = 1", "version = 2");
    assert!(
        FoundGait::from_toml(&later).unwrap_err().to_string().contains("version 2 is not known")
    );
}
