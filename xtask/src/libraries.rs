//! The libraries are ready to be published: manifests, what is packed, and no standard library
//! where none is promised.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use serde::Deserialize;

use crate::steps;

/// What `cargo metadata` tells.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: std::path::PathBuf,
    description: Option<String>,
    documentation: Option<String>,
    readme: Option<String>,
    license: Option<String>,
    rust_version: Option<String>,
    keywords: Vec<String>,
    categories: Vec<String>,
    dependencies: Vec<Dependency>,
    /// Where it may be published: nowhere, if the list is empty.
    publish: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    req: String,
    kind: Option<String>,
    path: Option<String>,
}

/// Files that every package holds.
const PACKED: [&str; 4] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Fails with every fault of a manifest or a package.
pub(crate) fn check() -> anyhow::Result<()> {
    let text = output(steps::cargo([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]))?;
    let metadata: Metadata = serde_json::from_str(&text)?;
    let mut libraries = metadata.packages;
    libraries.retain(|package| package.publish.as_ref().is_none_or(|to| !to.is_empty()));
    let mut faults = Vec::new();
    for library in &libraries {
        faults.extend(library.faults());
        faults.extend(library.packing_faults()?);
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    pack(&libraries)?;
    without_std()?;
    let names: Vec<&str> = libraries
        .iter()
        .map(|library| library.name.as_str())
        .collect();
    println!("ready to publish: {}", names.join(", "));
    Ok(())
}

/// Packs all libraries together, as a release would. What is packed was compiled by other steps, so
/// it is not compiled again.
fn pack(libraries: &[Package]) -> anyhow::Result<()> {
    let mut command = steps::cargo(["package", "--no-verify", "--allow-dirty", "--offline"]);
    command.args(["--target-dir", "target/packages"]);
    for library in libraries {
        command.args(["--package", &library.name]);
    }
    output(command).map(drop)
}

/// Compiles a crate of its own, on top of the rules crates, that cannot be compiled with `std`.
fn without_std() -> anyhow::Result<()> {
    let mut command = steps::cargo(["check", "--quiet", "--locked"]);
    command.args(["--manifest-path", "xtask/no-std/Cargo.toml"]);
    steps::run(command.args(["--target-dir", "target/no-std"]))
}

impl Package {
    /// What is missing in the manifest.
    fn faults(&self) -> Vec<String> {
        let texts = [
            ("description", &self.description),
            ("documentation", &self.documentation),
            ("readme", &self.readme),
            ("license", &self.license),
            ("rust-version", &self.rust_version),
        ];
        let missing = texts.into_iter().filter(|(_, text)| text.is_none());
        let mut faults: Vec<String> = missing
            .map(|(field, _)| format!("{}: the manifest has no {field}", self.name))
            .collect();
        for (field, list) in [
            ("keywords", &self.keywords),
            ("categories", &self.categories),
        ] {
            if !(1..=5).contains(&list.len()) {
                faults.push(format!("{}: one to five {field}", self.name));
            }
        }
        let bare = self.dependencies.iter().filter(|dependency| {
            let shipped = dependency.kind.as_deref() != Some("dev");
            shipped && dependency.path.is_some() && dependency.req == "*"
        });
        faults.extend(bare.map(|dependency| {
            format!(
                "{}: {} has a path and no version",
                self.name, dependency.name
            )
        }));
        faults
    }

    /// What its sources and its README name and the package does not hold.
    fn packing_faults(&self) -> anyhow::Result<Vec<String>> {
        let folder = self
            .manifest_path
            .parent()
            .context("a manifest lies in a folder")?;
        let mut command = steps::cargo(["package", "--list", "--allow-dirty", "--offline"]);
        command.args(["--package", &self.name]);
        let list = output(command)?;
        let packed: BTreeSet<&str> = list.lines().collect();
        let mut needed: Vec<String> = PACKED.map(str::to_owned).into();
        let is_source = |path: &&&str| Path::new(path).extension().is_some_and(|end| end == "rs");
        for path in packed.iter().filter(is_source) {
            needed.extend(included(path, &fs::read_to_string(folder.join(path))?));
        }
        let readme = fs::read_to_string(folder.join("README.md"))?;
        needed.extend(linked_files(&readme).map(str::to_owned));
        let missing = needed.iter().filter(|file| !packed.contains(file.as_str()));
        Ok(missing
            .map(|file| format!("{}: {file} is needed and not packed", self.name))
            .collect())
    }
}

/// The files that a source includes when it is compiled, relative to the package.
fn included(path: &str, source: &str) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let calls = source.split("include_").skip(1);
    let names = calls.filter_map(|call| {
        let rest = call
            .strip_prefix("str!(\"")
            .or(call.strip_prefix("bytes!(\""))?;
        Some(rest.split_once('"')?.0)
    });
    names.map(|name| relative(folder, name)).collect()
}

/// A path below a folder, without `..`; a name that leaves the package keeps them.
fn relative(folder: &Path, name: &str) -> String {
    let mut parts: Vec<&str> = folder.iter().filter_map(|part| part.to_str()).collect();
    for part in name.split('/') {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// The files that a text in Markdown links to: not addresses, not headings, not Rust paths.
fn linked_files(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1);
    let targets = links.filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| {
        let outside = target.contains("://") || target.contains("::") || target.starts_with('#');
        !outside && target.contains(['/', '.'])
    })
}

fn output(mut command: Command) -> anyhow::Result<String> {
    let output = command.output().context("cargo cannot be started")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let args: Vec<_> = command
            .get_args()
            .map(|arg| arg.to_string_lossy())
            .collect();
        bail!("cargo {} failed:\n{words}", args.join(" "));
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_judged() {
        let text = r#"{"name": "a", "manifest_path": "/a/Cargo.toml", "description": "d",
            "documentation": "https://docs.rs/a", "readme": "README.md", "license": "MIT",
            "rust_version": "1.95", "keywords": ["k"], "categories": ["c"], "publish": null,
            "dependencies": [{"name": "b", "req": "^1", "kind": null, "path": "/b"},
                             {"name": "t", "req": "*", "kind": "dev", "path": "/t"}]}"#;
        let mut package: Package = serde_json::from_str(text).expect("a manifest");
        assert!(package.faults().is_empty());
        package.readme = None;
        package.keywords.clear();
        package.dependencies[0].req = "*".to_owned();
        let expected = [
            "a: the manifest has no readme",
            "a: one to five keywords",
            "a: b has a path and no version",
        ];
        assert_eq!(package.faults(), expected);
    }

    #[test]
    fn included_files_are_found() {
        let source = "#![doc = include_str!(\"../README.md\")]\nconst A: &[u8] = include_bytes!(\"../data/a.net\");";
        assert_eq!(included("src/lib.rs", source), ["README.md", "data/a.net"]);
        let outside = "include_str!(\"../../docs/rules.md\")";
        assert_eq!(included("src/lib.rs", outside), ["../docs/rules.md"]);
        let deep = "include_str!(\"../../data/x\")";
        assert_eq!(included("src/net/tests.rs", deep), ["data/x"]);
    }

    #[test]
    fn links_to_files_are_told_from_others() {
        let text =
            "[a](docs/a.md) [b](https://b.c/d) [c](#head) [`D`](core::fmt::D) [e](../E.md) [f](f)";
        assert!(linked_files(text).eq(["docs/a.md", "../E.md"]));
    }
}
