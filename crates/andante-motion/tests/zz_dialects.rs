#![allow(clippy::unwrap_used, dead_code)]
#[path = "../../andante/tests/dialects/encode.rs"]
mod encode;
#[path = "../../andante/tests/dialects/motion.rs"]
mod motion;
#[path = "../../andante/tests/dialects/vendors.rs"]
mod vendors;

use andante_formats::{ReadOptions, bvh};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_motion::rig;
use andante_skeleton::humanoid;
use glam::{DQuat, DVec3};
use motion::Motion;

fn retargeted(text: &str) -> Result<(Motion, Vec<String>), String> {
    let mut asset =
        bvh::read(text.as_bytes(), "x", &ReadOptions::default()).map_err(|e| e.to_string())?;
    let mut said = Vec::new();
    if let Some(turn) = rig::up_axis(&asset.skeleton, &asset.clips, &Default::default()) {
        let (s, c) = rig::described(&asset.skeleton, &asset.clips, turn).unwrap();
        (asset.skeleton, asset.clips) = (s, c);
        said.push(format!("turned {:?}", turn.inverse() * glam::Vec3::Y));
    }
    let r = rig::detect(&asset.skeleton, &asset.clips).map_err(|e| e.to_string())?;
    if std::env::var_os("RIG").is_some() {
        let n = |j: usize| asset.skeleton.joint(j).name.clone();
        eprintln!(
            "hips {} spine {:?} head {:?}",
            n(r.hips),
            r.spine.iter().map(|&j| n(j)).collect::<Vec<_>>(),
            r.head.map(n)
        );
        for f in &r.feet {
            eprintln!(
                "  {} {:?} toes {:?} heel {} ball {}",
                f.name,
                f.leg.iter().map(|&j| n(j)).collect::<Vec<_>>(),
                f.toes.map(n),
                f.heel.offset,
                f.ball.offset
            );
        }
        for f in &r.arms {
            eprintln!("  {:?} {:?}", f.side, f.chain.iter().map(|&j| n(j)).collect::<Vec<_>>());
        }
        let rp = rig::rest_pose(&asset.skeleton, &r, &asset.clips, &Default::default());
        eprintln!(
            "  rest {} units {:?}",
            match rp {
                rig::StandingRest::Stands => "stands",
                rig::StandingRest::Seen(_) => "seen",
                _ => "unknown",
            },
            asset.units
        );
    }
    let clip = &asset.clips[0];
    let a = analyse(&asset.skeleton, &r, clip, &AnalysisOptions::default())
        .map_err(|e| e.to_string())?;
    let human = humanoid();
    let options = RetargetOptions {
        source_ground: Some(a.ground.height),
        plant: if std::env::var_os("NOPLANT").is_some() { None } else { Some(Default::default()) },
        ..Default::default()
    };
    let made = retarget(
        RetargetRig { skeleton: &asset.skeleton, rig: &r },
        clip,
        &a.contacts,
        RetargetRig::from(&human),
        &options,
    )
    .map_err(|e| e.to_string())?;
    said.extend(made.report.doubts.iter().map(|d| d.to_string()));
    Ok((Motion::parse(&bvh::write(&human.skeleton, &made.clip, &Default::default())), said))
}

fn difference(found: &Motion, expected: &Motion, back: DQuat) -> (f64, f64, Vec<(String, f64)>) {
    let (mut pose, mut way, mut count) = (0.0, 0.0, 0.0);
    let mut joints = vec![0.0; expected.nodes.len()];
    for (a, b) in found.frames.iter().zip(&expected.frames) {
        for (j, (x, y)) in a.iter().zip(b).enumerate() {
            let d = (back * (x.1 - a[0].1)).distance(y.1 - b[0].1);
            joints[j] += d / found.frames.len() as f64;
            pose += d;
            count += 1.0;
        }
        let walked = |m: &Motion, f: &[(DQuat, DVec3)]| f[0].1 - m.frames[0][0].1;
        way += (back * walked(found, a)).distance(walked(expected, b)) / found.frames.len() as f64;
    }
    let names = expected
        .nodes
        .iter()
        .zip(joints)
        .map(|(n, d)| (n.name.clone(), (1e4 * d).round() / 10.0))
        .collect();
    (pose / count, way, names)
}

#[test]
fn quick() {
    let read = |path: &std::path::Path, scale: f64, skip: usize| {
        let mut m = Motion::parse(&std::fs::read_to_string(path).unwrap());
        m.scaled(scale);
        m.frames.drain(..skip);
        m.frames.truncate((3.0 / m.frame_time) as usize);
        m
    };
    let mut all = vec![
        ("walk", read(&andante_testdata::own("walk_metres.bvh"), 1.0, 0)),
        ("run", read(&andante_testdata::own("run_centimetres.bvh"), 0.01, 0)),
    ];
    for (name, path) in [("cwalk", "cmu/16/16_15.bvh"), ("cjog", "cmu/16/16_35.bvh")] {
        all.push((name, read(&andante_testdata::mocap(path).unwrap(), 0.056444, 1)));
    }
    let only = std::env::var("ONLY").unwrap_or_default();
    let detail = std::env::var_os("DETAIL").is_some();
    for (what, m) in all {
        let (reference, said) = retargeted(&m.bvh([2, 1, 0])).unwrap();
        eprintln!("{what} reference {said:?}");
        let mut dialects = encode::known(&m);
        dialects.extend((0..30).map(|s| encode::drawn(&m, s)));
        for d in dialects.into_iter().filter(|d| d.name.contains(&only)) {
            match retargeted(&d.text) {
                Ok((got, said)) => {
                    let (p, w, j) = difference(&got, &reference, d.back);
                    eprintln!(
                        "{} {what:6} {:70} {:6.1} {:6.1} {said:?}",
                        if p > 0.01 || w > 0.02 { "BAD" } else { "ok " },
                        d.name,
                        1e3 * p,
                        1e3 * w
                    );
                    if detail {
                        eprintln!("   {j:?}");
                    }
                }
                Err(e) => eprintln!("ERR {what:6} {:70} {e}", d.name),
            }
        }
    }
}
