//! A network of its own for a process, which can be cut off from all others.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::Fault;

/// A network namespace, joined to this one by a pair of virtual devices; gone with the value.
#[derive(Debug)]
pub struct Namespace {
    name: String,
    /// The address of this end.
    pub here: Ipv4Addr,
    /// The address of the other end, where the process is.
    pub there: Ipv4Addr,
}

fn ip(words: &str) -> Result<(), Fault> {
    let mut command = Command::new("ip");
    let output = command.args(words.split(' ')).stdin(Stdio::null()).output();
    let output = output.map_err(|why| format!("`ip` of the package iproute2: {why}"))?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("ip {words}: {}", why.trim()).into())
}

impl Namespace {
    /// Makes the network of a number that no other one of this process has. Only root may.
    pub fn new(number: u8) -> Result<Self, Fault> {
        let process = std::process::id();
        // Of the networks for measurements (RFC 2544), which lead nowhere else.
        let [.., third] = process.to_be_bytes();
        let address = |end: u8| Ipv4Addr::new(198, 18, third, 4 * number + end);
        let name = format!("convoy-{process}-{number}");
        ip(&format!("netns add {name}"))?;
        let device = format!("convoy{number}-{}", process % 100_000);
        let namespace = Self {
            name,
            here: address(1),
            there: address(2),
        };
        let Self { name, here, there } = &namespace;
        for words in [
            format!("link add {device} type veth peer name eth0 netns {name}"),
            format!("addr add {here}/30 dev {device}"),
            format!("link set {device} up"),
            format!("-n {name} addr add {there}/30 dev eth0"),
            format!("-n {name} link set eth0 up"),
            format!("-n {name} link set lo up"),
        ] {
            ip(&words)?;
        }
        Ok(namespace)
    }

    /// A program that runs there.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(program);
        command
    }

    /// Cuts it off, or joins it again.
    pub fn set_cut(&self, is_cut: bool) -> Result<(), Fault> {
        let state = if is_cut { "down" } else { "up" };
        // The other end: without this one, packets would look for another way.
        ip(&format!("-n {} link set eth0 {state}", self.name))
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // The devices go with it.
        let _ = ip(&format!("netns del {}", self.name));
    }
}
