//! The chores of the pages: a browser to drive, the types of the modules, pictures to look at.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::steps::{cargo, root, step};

/// Where a Chromium may be; `CONVOY_CHROMIUM` names another.
const BROWSERS: [&str; 5] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/snap/bin/chromium",
];

/// The compiler that reads the types in the modules' comments; nothing of it runs in a page.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// Makes sure that there is a browser for the tests, installing Debian's where that is possible.
pub(crate) fn browser() -> anyhow::Result<()> {
    println!("== browser");
    let named = env::var_os("CONVOY_CHROMIUM").map(PathBuf::from);
    let found = |named: &Option<PathBuf>| {
        let places = named.iter().map(PathBuf::as_path);
        places
            .chain(BROWSERS.iter().map(Path::new))
            .any(Path::exists)
    };
    if found(&named) {
        return Ok(());
    }
    install(&["chromium", "fonts-noto-core", "fonts-noto-cjk"])?;
    if !found(&named) {
        bail!("the browser tests need a Chromium: install the package `chromium`");
    }
    Ok(())
}

/// Checks the modules of the pages against the types in their comments.
pub(crate) fn types() -> anyhow::Result<()> {
    let folder = root().join("target").join("typescript");
    let compiler = folder
        .join("node_modules")
        .join("typescript")
        .join("bin")
        .join("tsc");
    if !answers("npm") || !answers("node") {
        println!("== node");
        install(&["nodejs", "npm"]).context(
            "the types of the pages' modules need Node: install the packages `nodejs` and `npm`",
        )?;
    }
    if !compiler.exists() {
        std::fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--prefix",
        ])
        .arg(&folder)
        .arg(TYPESCRIPT);
        step("types: fetch the compiler", npm)?;
    }
    let mut check = Command::new("node");
    check.arg(compiler).args(["--project", "web/tsconfig.json"]);
    step("types of the pages' modules", check)
}

/// Takes pictures of the pages in both sizes, light and dark, and in all languages.
pub(crate) fn shots(folder: Option<PathBuf>) -> anyhow::Result<()> {
    browser()?;
    let folder = folder.unwrap_or_else(|| root().join("target").join("shots"));
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let mut test = cargo([
        "test",
        "--package",
        "convoy-server",
        "--test",
        "browser",
        "shots::",
    ]);
    test.env("CONVOY_SHOTS", &folder);
    step("pictures", test)?;
    println!("the pictures are in {}", folder.display());
    Ok(())
}

fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    let quiet = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Installs Debian packages, or says which ones are missing.
fn install(packages: &[&str]) -> anyhow::Result<()> {
    let names = packages.join(" ");
    let mut update = Command::new("apt-get");
    let updated = update.arg("update").stdout(Stdio::null()).status();
    if !updated.is_ok_and(|status| status.success()) {
        bail!("please install the Debian packages: {names}");
    }
    let mut install = Command::new("apt-get");
    install
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages);
    let installed = install.status().is_ok_and(|status| status.success());
    if !installed {
        bail!("please install the Debian packages: {names}");
    }
    Ok(())
}
