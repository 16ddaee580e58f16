//! What processes take.

use std::time::Duration;

use convoy_test_client::client::Fault;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What else a program has open: its storage, its log, connections that come and go.
const BESIDE: usize = 500;

/// Lets this process and those that it starts open so many files, or says why they may not.
pub(crate) fn allow_files(needed: usize) -> Result<(), Fault> {
    let needed = u64::try_from(needed + BESIDE)?;
    if convoy_server::raise_file_limit() >= needed {
        return Ok(());
    }
    let raised = Rlimit {
        current: Some(needed),
        maximum: Some(needed),
    };
    setrlimit(Resource::Nofile, raised).map_err(|_| {
        let most = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
        let text = format!("{needed} files would be open, and {most} may be; root may raise that");
        text.into()
    })
}

/// A line of a process's status, in kilobytes.
pub(crate) fn kilobytes(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0)
}

/// What stands behind the name of a process in its line of the process table. The name may hold spaces.
fn status(pid: u32) -> Vec<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let rest = stat.rsplit(") ").next().unwrap_or_default();
    let fields = rest.split(' ').map(|field| field.parse().unwrap_or(0));
    fields.collect()
}

/// The processor time that a process has used.
pub(crate) fn processor_time(pid: u32) -> Duration {
    // User and system time, in hundredths of a second.
    let hundredths: u64 = status(pid).get(11..13).unwrap_or_default().iter().sum();
    Duration::from_millis(10 * hundredths)
}

/// The processor time of a process and of its children.
pub(crate) fn family_time(pid: u32) -> Duration {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let children = all.filter(|child| status(*child).get(1) == Some(&u64::from(pid)));
    processor_time(pid) + children.map(processor_time).sum::<Duration>()
}
