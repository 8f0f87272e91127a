//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/amc.rs"]
mod amc;
#[path = "../../../fuzz/checks/asf.rs"]
mod asf;
#[path = "../../../fuzz/checks/bvh.rs"]
mod bvh;
#[cfg(feature = "fbx")]
#[path = "../../../fuzz/checks/fbx.rs"]
mod fbx;
#[path = "../../../fuzz/checks/npz.rs"]
mod npz;
#[path = "../../../fuzz/checks/obj.rs"]
mod obj;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "../../../fuzz/checks/tds.rs"]
mod tds;

use replay::replay;

#[test]
fn bvh_seeds_pass_the_check() {
    replay("bvh", bvh::check);
}

#[test]
fn asf_seeds_pass_the_check() {
    replay("asf", asf::check);
}

#[test]
fn amc_seeds_pass_the_check() {
    replay("amc", amc::check);
}

#[test]
fn obj_seeds_pass_the_check() {
    replay("obj", obj::check);
}

#[test]
fn npz_seeds_pass_the_check() {
    replay("npz", npz::check);
}

#[cfg(feature = "fbx")]
#[test]
fn fbx_seeds_pass_the_check() {
    replay("fbx", fbx::check);
}

#[test]
fn tds_seeds_pass_the_check() {
    replay("tds", tds::check);
}
