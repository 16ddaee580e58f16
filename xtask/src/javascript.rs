//! The npm package: its WebAssembly files, made anew on request, and its tests in Node.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::steps::{cargo, root, run};

const MANIFEST: &str = "bindings/js/Cargo.toml";
const NETWORK: &str = "crates/cotulenh-engine/data/default.net";

/// A WebAssembly file of the package: the module of `lib/wasm` that holds it, the feature and the profile that it is
/// built with, the stack it has, and whether it uses SIMD.
struct File {
    module: &'static str,
    feature: &'static str,
    profile: &'static str,
    stack: usize,
    simd: bool,
}

/// The stack of the rules.
const STACK: usize = 1 << 20;
/// The stack of the players, whose searches go deep.
const DEEP_STACK: usize = 32 << 20;

const FILES: [File; 8] = [
    File {
        module: "cotulenh",
        feature: "cotulenh",
        profile: "rules",
        stack: STACK,
        simd: false,
    },
    File {
        module: "tractor",
        feature: "tractor",
        profile: "small",
        stack: STACK,
        simd: false,
    },
    File {
        module: "table",
        feature: "table",
        profile: "small",
        stack: STACK,
        simd: false,
    },
    File {
        module: "protocol",
        feature: "protocol",
        profile: "small",
        stack: STACK,
        simd: false,
    },
    File {
        module: "stack",
        feature: "stack",
        profile: "small",
        stack: STACK,
        simd: false,
    },
    File {
        module: "lessons",
        feature: "lessons",
        profile: "players",
        stack: STACK,
        simd: false,
    },
    File {
        module: "engine",
        feature: "engine",
        profile: "players",
        stack: DEEP_STACK,
        simd: false,
    },
    File {
        module: "engine-simd",
        feature: "engine",
        profile: "players",
        stack: DEEP_STACK,
        simd: true,
    },
];

/// What the package is packed and tried with; nothing of it is part of the package.
const TOOLS: [&str; 5] = [
    "esbuild@0.28.2",
    "typescript@5.9.3",
    "vite@7.3.8",
    "webpack@5.112.2",
    "deno@2.9.6",
];

/// A Node that is recent enough for that Vite.
const NODE: &str = "22.23.3";

/// Builds every WebAssembly file, or one, and packs it into its module. Needs the target
/// `wasm32-unknown-unknown`.
pub(crate) fn wasm(only: Option<&str>) -> anyhow::Result<()> {
    let chosen = |module: &str| only.is_none_or(|only| only == module);
    for file in FILES.iter().filter(|file| chosen(file.module)) {
        build(file)?;
    }
    if chosen("network") {
        pack(&root().join(NETWORK), "network")?;
    }
    Ok(())
}

fn build(file: &File) -> anyhow::Result<()> {
    let target = "wasm32-unknown-unknown";
    let folder = root().join("target").join("wasm");
    let folder = folder.join(if file.simd { "simd" } else { "plain" });
    let mut compile = cargo(["rustc", "--lib", "--locked", "--manifest-path", MANIFEST]);
    compile.args(["--target", target, "--profile", file.profile]);
    compile
        .args(["--features", file.feature, "--target-dir"])
        .arg(&folder);
    let stack = format!("link-arg=-zstack-size={}", file.stack);
    let features = if file.simd {
        "-C target-feature=+simd128"
    } else {
        ""
    };
    run(compile
        .args(["--", "-C", &stack])
        .env("RUSTFLAGS", features))?;
    let built = folder.join(target).join(file.profile);
    pack(&built.join("convoy_games.wasm"), file.module)
}

/// Packs a file into a module of `lib/wasm`.
fn pack(file: &Path, module: &str) -> anyhow::Result<()> {
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    let mut packed = Vec::new();
    let options = zopfli::Options::default();
    zopfli::compress(options, zopfli::Format::Deflate, &bytes[..], &mut packed)?;
    let text = format!(
        "// Made by `cargo xtask wasm`: raw deflate in base64.\n\
         export const length = {};\nexport const data = '{}';\n",
        bytes.len(),
        BASE64_STANDARD.encode(&packed)
    );
    let path = root().join(format!("bindings/js/lib/wasm/{module}.js"));
    std::fs::write(path, text)?;
    println!("{module}: {} bytes, {} packed", bytes.len(), packed.len());
    Ok(())
}

/// Lints the native part, compares the committed WebAssembly with the native code of this checkout, runs the tests
/// of the package, and tries it as its users load it.
pub(crate) fn check() -> anyhow::Result<()> {
    run(cargo(["fmt", "--check", "--manifest-path", MANIFEST]))?;
    let folder = root().join("target").join("javascript");
    let mut lints = cargo(["clippy", "--manifest-path", MANIFEST, "--all-features"]);
    lints.arg("--target-dir").arg(folder.join("cargo"));
    run(lints.args(["--", "-D", "warnings"]))?;
    // As the tests build it, so that nothing is built anew with other features.
    run(cargo(["test", "--no-run", "--workspace", "--test", "cli"]))?;
    run(cargo(["build", "--workspace", "--example", "judge"]))?;
    run(Command::new("node").arg("bindings/js/tools/board.js"))?;
    let mut tests = Command::new("node");
    tests.arg("--test").args(test_files()?);
    tests.env("CONVOY_BINARY", root().join("target/debug/convoy"));
    run(tests.env("CONVOY_JUDGE", root().join("target/debug/examples/judge")))?;
    let tools = fetch_tools(&folder)?;
    let mut trial = Command::new("node");
    trial.arg("bindings/js/tools/trial.js").arg(tools);
    run(trial.arg(folder.join("trial")))
}

fn test_files() -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("bindings/js/test")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).context("the tests of the package")? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".test.js") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Fetches what the package is tried with, unless it is there.
fn fetch_tools(folder: &Path) -> anyhow::Result<PathBuf> {
    let tools = folder.join("tools");
    let arch = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    let node = format!("node-linux-{arch}@{NODE}");
    let mark = tools.join("fetched");
    let wanted = format!("{} {node}", TOOLS.join(" "));
    if std::fs::read_to_string(&mark).is_ok_and(|fetched| fetched == wanted) {
        return Ok(tools);
    }
    std::fs::create_dir_all(&tools)?;
    std::fs::write(tools.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ]);
    run(npm.arg(&tools).args(TOOLS).arg(node))?;
    std::fs::write(mark, wanted)?;
    Ok(tools)
}
