//! Other people's programs, each the leader of a process group of its own, and how they are ended.

use std::process::Child;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Whether a program has ended. It stays known to the system, so that its group can still be named.
pub(crate) fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options);
    !matches!(status, Ok(None))
}

/// Ends a program with all that it has started: a script may have left the work to a program that would run on.
pub(crate) fn end(child: &mut Child) {
    // Whoever has ended needs no signal.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}
