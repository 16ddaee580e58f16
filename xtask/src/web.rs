//! The chores of the pages: the types of the modules, pictures to look at.

use std::path::PathBuf;
use std::process::Command;

use crate::package;
use crate::steps::{Step, cargo, root, run};

/// The compiler that reads the types in the modules' comments; nothing of it runs in a page.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// Checks the modules of the pages against the types in their comments.
pub(crate) fn types() -> anyhow::Result<()> {
    let folder = root().join("target").join("typescript");
    let compiler = folder
        .join("node_modules")
        .join("typescript")
        .join("bin")
        .join("tsc");
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
        run(npm)?;
    }
    let mut check = Command::new("node");
    check.arg(compiler).args(["--project", "web/tsconfig.json"]);
    run(check)
}

/// Takes pictures of the pages in both sizes, light and dark, and in all languages.
pub(crate) fn shots(folder: Option<PathBuf>) -> anyhow::Result<()> {
    package::provide(&[Step::Tests])?;
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
    run(test)?;
    println!("the pictures are in {}", folder.display());
    Ok(())
}
