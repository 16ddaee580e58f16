//! No source file is longer than somebody wants to read.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::steps::root;

/// Lines that a file may have.
const MOST: usize = 500;

/// Where sources lie, and how their names end; data has other endings.
const FOLDERS: [&str; 6] = ["bindings", "crates", "examples", "fuzz", "web", "xtask"];
const ENDINGS: [&str; 5] = ["css", "html", "js", "py", "rs"];

/// Fails with the files that are too long.
pub(crate) fn check() -> anyhow::Result<()> {
    let mut faults = Vec::new();
    for folder in FOLDERS {
        search(&root().join(folder), MOST, &mut faults)?;
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

fn search(folder: &Path, most: usize, faults: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        // What is built or fetched is nobody's to split.
        if path.is_dir() && name != "target" && name != "node_modules" {
            search(&path, most, faults)?;
        }
        let ending = path.extension().unwrap_or_default();
        if path.is_file() && ENDINGS.iter().any(|known| ending == *known) {
            let lines = fs::read_to_string(&path)?.lines().count();
            if lines > most {
                let place = path.strip_prefix(root()).unwrap_or(&path).display();
                faults.push(format!("{place}: {lines} lines, {most} at most: split it"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_named() {
        let mut faults = Vec::new();
        search(&root().join("xtask/src"), 20, &mut faults).expect("readable");
        let this = faults
            .iter()
            .any(|fault| fault.starts_with("xtask/src/length.rs: "));
        assert!(this, "{faults:?}");
        faults.clear();
        search(&root().join("xtask/src"), MOST, &mut faults).expect("readable");
        assert_eq!(faults, [""; 0]);
    }
}
