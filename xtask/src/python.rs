//! The Python package, tested in a virtual environment of its own below `target/python`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::steps::{cargo, root, run};

/// What the tests need beside the package; fetched once.
const NEEDED: [&str; 6] = [
    "maturin>=1.7,<2",
    "numpy>=1.24",
    "pytest>=8",
    "pettingzoo>=1.24",
    "gymnasium>=1.0",
    "chess>=1.11",
];

/// `OpenSpiel`, which has no wheel for every Python.
const OPENSPIEL: &str = "open_spiel>=1.5";

/// Lints the native part, builds the wheel, installs it and runs the tests of the package.
pub(crate) fn check() -> anyhow::Result<()> {
    let manifest = "bindings/python/Cargo.toml";
    run(cargo(["fmt", "--check", "--manifest-path", manifest]))?;
    let folder = root().join("target").join("python");
    let build = folder.join("cargo");
    let mut lints = cargo(["clippy", "--release", "--manifest-path", manifest]);
    lints.arg("--target-dir").arg(&build);
    run(lints.args(["--", "-D", "warnings"]))?;
    let python = environment(&folder)?;
    install_wheel(&folder, &build, &python)?;
    let openspiel = has_openspiel(&python)?;
    // As the tests build it, so that nothing is built anew with other features.
    run(cargo(["test", "--no-run", "--workspace", "--test", "cli"]))?;
    let mut tests = Command::new(&python);
    tests.args([
        "-m",
        "pytest",
        "--rootdir",
        "bindings/python",
        "-p",
        "no:cacheprovider",
    ]);
    tests.arg("bindings/python/tests");
    if !openspiel {
        tests.arg("--ignore=bindings/python/tests/test_openspiel.py");
    }
    tests.env("CONVOY_BINARY", root().join("target/debug/convoy"));
    run(tests.env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// The interpreter of the virtual environment, made and filled where it is not yet.
fn environment(folder: &Path) -> anyhow::Result<PathBuf> {
    let base = env::var_os("CONVOY_PYTHON").unwrap_or_else(|| "python3".into());
    let version = "import sys; sys.exit(sys.version_info < (3, 10))";
    let recent = Command::new(&base).args(["-c", version]).status();
    let recent = recent.with_context(|| format!("{} cannot be started", base.display()))?;
    if !recent.success() {
        bail!(
            "{} is older than Python 3.10; CONVOY_PYTHON names another",
            base.display()
        );
    }
    let venv = folder.join("venv");
    let python = venv.join("bin").join("python");
    if !python.exists() {
        let mut make = Command::new(&base);
        run(make.args(["-m", "venv"]).arg(&venv))?;
    }
    let mut pip = pip(&python);
    run(pip.args(["install", "--quiet"]).args(NEEDED))?;
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--disable-pip-version-check"]);
    pip
}

/// Builds the wheel and installs it in place of an older one.
fn install_wheel(folder: &Path, build: &Path, python: &Path) -> anyhow::Result<()> {
    let wheels = folder.join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--release", "--quiet"]);
    maturin.args(["--manifest-path", "bindings/python/Cargo.toml"]);
    maturin
        .arg("--target-dir")
        .arg(build)
        .arg("--out")
        .arg(&wheels);
    run(maturin)?;
    let wheel = std::fs::read_dir(&wheels)?
        .next()
        .context("a wheel was built")??;
    let mut install = pip(python);
    install.args(["install", "--quiet", "--force-reinstall", "--no-deps"]);
    run(install.arg(wheel.path()))
}

/// Whether `OpenSpiel` is there or can be installed; says so if not.
fn has_openspiel(python: &Path) -> anyhow::Result<bool> {
    let mut install = pip(python);
    install.args(["install", "--quiet", "--only-binary", ":all:", OPENSPIEL]);
    if install.stderr(Stdio::null()).status()?.success() {
        return Ok(true);
    }
    let version = Command::new(python).arg("--version").output()?;
    println!(
        "OpenSpiel has no wheel for {}: its tests are left out",
        String::from_utf8_lossy(&version.stdout).trim()
    );
    Ok(false)
}
