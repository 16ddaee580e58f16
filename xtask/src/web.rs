//! The chores of the pages: the types of the modules, pictures to look at.

use std::path::PathBuf;
use std::process::Command;

use crate::package;
use crate::steps::{Step, cargo, root, run};

/// The compiler that reads the types in the modules' comments; nothing of it runs in a page.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// The audit that the browser tests run inside every page; nothing of it is served.
const AXE: &str = "axe-core@4.10.3";

/// Fetches a package of npm into a folder below `target`, unless the file that is wanted of it is
/// there.
fn fetch(folder: &str, package: &str, file: &str) -> anyhow::Result<PathBuf> {
    let folder = root().join("target").join(folder);
    let file = folder.join("node_modules").join(file);
    if !file.exists() {
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
        .arg(package);
        run(npm)?;
    }
    Ok(file)
}

/// Fetches what the browser tests audit pages with.
pub(crate) fn axe() -> anyhow::Result<()> {
    fetch("axe", AXE, "axe-core/axe.min.js").map(drop)
}

/// Checks the modules of the pages against the types in their comments.
pub(crate) fn types() -> anyhow::Result<()> {
    let compiler = fetch("typescript", TYPESCRIPT, "typescript/bin/tsc")?;
    let mut check = Command::new("node");
    check.arg(compiler).args(["--project", "web/tsconfig.json"]);
    run(check)
}

/// Instead of the one package that has the tests: alone it would have other features, and everything be built anew.
const WHOLE: &str = "--workspace";

/// Which pictures to take, and where to keep them.
#[derive(Debug, clap::Args)]
pub(crate) struct Shots {
    /// Where to keep them; `target/shots` otherwise
    folder: Option<PathBuf>,
    /// The language of the walk past every page: en, vi or zh
    #[arg(long, default_value = "en")]
    lang: String,
    /// A folder of fonts for the browser in place of the gate's; Chinese needs one that has Chinese letters
    #[arg(long)]
    fonts: Option<PathBuf>,
}

/// Takes pictures of the pages.
pub(crate) fn shots(shots: Shots) -> anyhow::Result<()> {
    package::provide(&[Step::Tests])?;
    axe()?;
    let folder = shots
        .folder
        .unwrap_or_else(|| root().join("target").join("shots"));
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let mut test = cargo(["test", WHOLE, "--test", "browser", "shots::"]);
    test.env("CONVOY_SHOTS", &folder);
    test.env("CONVOY_SHOTS_LANG", shots.lang);
    if let Some(fonts) = shots.fonts {
        test.env("CONVOY_FONTS", fonts.canonicalize()?);
    }
    run(test)?;
    println!("the pictures are in {}", folder.display());
    Ok(())
}

/// Measures the pages in a real browser that is slowed down, and over a connection that leads nowhere.
pub(crate) fn vitals() -> anyhow::Result<()> {
    package::provide(&[Step::Tests])?;
    run(cargo(["test", WHOLE, "--test", "vitals"]))
}
