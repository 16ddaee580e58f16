//! What the system knows of the process, under the names that Prometheus's own clients give it.

use std::fs;

use super::{head, line};

/// Writes what is known; on systems without `/proc` that is the version alone.
pub(super) fn write(text: &mut String) {
    let name = "convoy_build_info";
    head(text, name, "gauge", "The version, as a label.");
    let version = env!("CARGO_PKG_VERSION");
    line(text, &format!("{name}{{version=\"{version}\"}} 1"));
    if let Some(bytes) = resident() {
        let name = "process_resident_memory_bytes";
        head(text, name, "gauge", "Memory of the process.");
        line(text, &format!("{name} {bytes}"));
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        let name = "process_open_fds";
        head(
            text,
            name,
            "gauge",
            "Open files and sockets of the process.",
        );
        line(text, &format!("{name} {}", files.count()));
    }
}

/// Memory that is in use, in bytes.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
