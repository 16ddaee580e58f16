//! A library that lets the calls of a server fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::Fault;

/// A library that lets calls fail on request; `shim.c` tells how.
#[derive(Debug, Clone)]
pub struct Shim {
    pub library: PathBuf,
    pub page: PathBuf,
}

/// What the shim is asked for; the order is that of its page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    pub write_fails: bool,
    pub sync_fails: bool,
    pub short_write: bool,
    pub clock_offset: i64,
}

impl Shim {
    /// Builds the library with the system's compiler.
    pub fn build(folder: &Path) -> Result<Self, Fault> {
        let source = folder.join("shim.c");
        std::fs::write(&source, include_str!("shim.c"))?;
        let shim = Self {
            library: folder.join("shim.so"),
            page: folder.join("faults"),
        };
        let built = Command::new("cc")
            .args(["-O2", "-Wall", "-shared", "-fPIC", "-o"])
            .args([&shim.library, &source])
            .arg("-ldl")
            .status();
        match built {
            Ok(status) if status.success() => {}
            other => return Err(format!("the shim needs a C compiler called cc: {other:?}").into()),
        }
        shim.ask(Asked::default())?;
        Ok(shim)
    }

    /// From now on it happens so.
    pub fn ask(&self, asked: Asked) -> Result<(), Fault> {
        use std::os::unix::fs::FileExt as _;
        let mut page = [0; 16];
        page[0] = u8::from(asked.write_fails);
        page[1] = u8::from(asked.sync_fails);
        page[2] = u8::from(asked.short_write);
        page[8..].copy_from_slice(&asked.clock_offset.to_ne_bytes());
        let mut options = std::fs::OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.page)?;
        // The last eight bytes are the shim's own.
        if file.metadata()?.len() < 24 {
            file.set_len(24)?;
        }
        Ok(file.write_all_at(&page, 0)?)
    }

    /// How many calls were made to fail.
    pub fn failed(&self) -> Result<u64, Fault> {
        let page = std::fs::read(&self.page)?;
        let count = page.get(16..24).ok_or("no count")?;
        Ok(u64::from_ne_bytes(count.try_into()?))
    }
}
