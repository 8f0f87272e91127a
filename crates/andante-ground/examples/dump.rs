//! dump
#![allow(clippy::print_stdout, clippy::unwrap_used)]
mod common;
use andante_ground::{TakeOptions, adapt_clip};
use common::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let which = args.next().unwrap();
    let part = args.next().unwrap_or_default();
    let case = if which == "horse" { horse("Walk").unwrap() } else if which.starts_with("cmu") { captured(&format!("cmu/16/16_{}.bvh", &which[3..])).unwrap() } else { built_in_case(&which) };
    let t = terrains().into_iter().find(|t| t.name == part).unwrap();
    let o = TakeOptions { extent: case.extent, fps: Some(60.0), ..TakeOptions::default() };
    let take = adapt_clip(&case.clip, &*t.ground, &o).unwrap();
    let sk = &case.clip.character().skeleton; let rig=&case.clip.character().rig;
    let fr = andante_motion::metrics::model_frames(sk, &take.clip);
    let sf = andante_motion::metrics::model_frames(sk, &take.source);
    for (i, f) in take.frames.iter().enumerate().take(600) {
        let hip = fr[i][rig.hips].translation; let sh = sf[i][rig.hips].translation;
        let j = |v: &Vec<Vec<andante_skeleton::Transform>>, i: usize| if i>=3 { let p=|k:usize| v[k][rig.hips].translation; ((p(i)-p(i-1)*3.0+p(i-2)*3.0-p(i-3))*216000.0).length() } else {0.0};
        print!("{i:3} t{:.3} H{:7.4} z{:6.3} low{:.4} g{:.3} hipy-src{:7.4} jerk{:6.1}/{:5.1}", f.report.time, f.report.height, f.report.place.position.y, f.report.lowered, f.report.grade, hip.y-sh.y, j(&fr,i), j(&sf,i));
        for (k, foot) in f.feet.iter().enumerate() {
            let m=&fr[i]; let ft=&rig.feet[k];
            let h = |p: glam::Vec3| p.y - t.ground.probe(p+glam::Vec3::Y*0.4, 3.0).map_or(0.0, |x| x.point.y);
            let pr = foot.print.map_or(glam::Vec3::ZERO, |p| p.position); let nx=foot.next.map_or(glam::Vec3::ZERO, |p| p.position);
            print!(" | {}{} p({:.2},{:.2}) n({:.2},{:.2}) h{:6.3} b{:6.3} t{:6.3} e{:.3} {:?}", foot.down[0] as u8, foot.down[1] as u8, pr.z, pr.y, nx.z, nx.y, h(ft.heel.position(m)), h(ft.ball.position(m)), h(ft.tip.position(m)), foot.extension, foot.status);
        }
        println!();
    }
}
