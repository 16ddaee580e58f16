//! The npm package: its WebAssembly files, made anew on request, and its tests in Node.

use std::process::Command;

use crate::package;
use crate::steps::{Step, cargo, root, run};

const MANIFEST: &str = "bindings/js/Cargo.toml";

/// A WebAssembly file of the package: the module of `lib/wasm` that holds it, the features it is built with, and
/// whether it uses SIMD.
struct File {
    module: &'static str,
    features: &'static str,
    simd: bool,
}

const FILES: [File; 1] = [File {
    module: "cotulenh",
    features: "cotulenh",
    simd: false,
}];

/// Builds every WebAssembly file, or one, and packs it into its module. Needs the target
/// `wasm32-unknown-unknown`.
pub(crate) fn wasm(only: Option<&str>) -> anyhow::Result<()> {
    package::provide(&[Step::Javascript])?;
    for file in FILES {
        if only.is_some_and(|only| only != file.module) {
            continue;
        }
        let build = root().join("target").join("wasm").join(file.module);
        let mut compile = cargo([
            "build",
            "--release",
            "--locked",
            "--manifest-path",
            MANIFEST,
        ]);
        compile.args(["--target", "wasm32-unknown-unknown"]);
        compile.args(["--features", file.features, "--target-dir"]);
        let flags = if file.simd {
            "-C target-feature=+simd128"
        } else {
            ""
        };
        run(compile.arg(&build).env("RUSTFLAGS", flags))?;
        let mut pack = Command::new("node");
        pack.arg("bindings/js/tools/pack.js");
        pack.arg(build.join("wasm32-unknown-unknown/release/convoy_games.wasm"));
        run(pack.arg(format!("bindings/js/lib/wasm/{}.js", file.module)))?;
    }
    Ok(())
}

/// Lints the native part and runs the tests of the package, with the committed WebAssembly files.
pub(crate) fn check() -> anyhow::Result<()> {
    run(cargo(["fmt", "--check", "--manifest-path", MANIFEST]))?;
    let mut lints = cargo(["clippy", "--manifest-path", MANIFEST]);
    lints.arg("--all-features").arg("--target-dir");
    lints.arg(root().join("target").join("javascript"));
    run(lints.args(["--", "-D", "warnings"]))?;
    let mut tests = Command::new("node");
    run(tests.args(["--test", "bindings/js/test/"]))
}
