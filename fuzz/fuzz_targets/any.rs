//! Every check in one binary, so that the library is instrumented and linked once: `CHECK=bvh any seeds/bvh`.
#![no_main]

/// Files `../checks/NAME.rs`, each with a function `check`.
macro_rules! checks {
    ($($name:ident $path:literal,)*) => {
        $(#[path = $path] mod $name;)*
        /// By name, which is also that of the folder of its seeds.
        const CHECKS: &[(&str, fn(&[u8]))] = &[$((stringify!($name), $name::check)),*];
    };
}

checks! {
    amc "../checks/amc.rs",
    asf "../checks/asf.rs",
    body "../checks/body.rs",
    bvh "../checks/bvh.rs",
    checkpoint "../checks/checkpoint.rs",
    csv "../checks/csv.rs",
    gait "../checks/gait.rs",
    gltf "../checks/gltf.rs",
    mjcf "../checks/mjcf.rs",
    obj "../checks/obj.rs",
    repertoire "../checks/repertoire.rs",
    scene "../checks/scene.rs",
    sketch "../checks/sketch.rs",
    take "../checks/take.rs",
    urdf "../checks/urdf.rs",
}

static CHECK: std::sync::LazyLock<fn(&[u8])> = std::sync::LazyLock::new(|| {
    let name = std::env::var("CHECK").unwrap_or_default();
    let known = CHECKS.iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("CHECK is `{name}`, which is none of {CHECKS:?}")).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CHECK(bytes));
