//! `convoy worker` and `convoy serve --nats` as processes, and what they say of a NATS server that
//! they cannot use.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use convoy_test_client::process::ServerProcess;
use convoy_test_nats::Server as Nats;

use crate::process::Folder;

fn convoy(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The one line of a command that fails.
fn complaint(args: &[&str]) -> String {
    let output = convoy(args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!error.contains("hidden"), "{error}");
    error
}

fn serve<'a>(data: &'a Path, url: &'a str) -> [&'a str; 7] {
    let data = data.to_str().unwrap();
    let any = "127.0.0.1:0";
    ["serve", "--listen", any, "--data", data, "--nats", url]
}

#[test]
fn a_nats_server_that_cannot_be_used_gives_one_clear_line() {
    let (folder, mut nats) = (Folder::new("no-nats"), Nats::start().unwrap());
    let wrong = nats.url("node", "hidden");
    for args in [&serve(&folder.0, &wrong)[..], &["worker", "--nats", &wrong]] {
        let refused = complaint(args);
        assert!(refused.contains("refuses this user"), "{refused}");
        assert!(refused.contains("nats://node@127.0.0.1"), "{refused}");
    }
    let url = nats.worker_url();
    nats.stop().unwrap();
    for args in [&serve(&folder.0, &url)[..], &["worker", "--nats", &url]] {
        let refused = complaint(args);
        assert!(refused.contains("cannot be reached"), "{refused}");
    }
    for slip in ["nats.example", "http://ann:hidden@nats.example"] {
        let refused = complaint(&["worker", "--nats", slip]);
        assert!(refused.contains("--nats: "), "{refused}");
    }
    assert!(complaint(&["worker"]).contains("CONVOY_NATS"));
    // Nothing was begun.
    assert!(!folder.0.join("convoy.db").exists());
}

#[test]
fn a_user_without_the_rights_gives_one_clear_line() {
    let (folder, nats) = (Folder::new("nats-rights"), Nats::start().unwrap());
    let [node, worker] = [nats.node_url(), nats.worker_url()];
    let check = [&serve(&folder.0, &worker)[..], &["--check"]].concat();
    for args in [&serve(&folder.0, &worker)[..], &check] {
        let refused = complaint(args);
        assert!(refused.contains("cannot be used by this user"), "{refused}");
    }
    let refused = complaint(&["worker", "--nats", &node]);
    assert!(refused.contains("\"engine."), "{refused}");
    assert!(!folder.0.join("convoy.db").exists());
}

#[test]
fn over_tls_the_certificate_of_nats_is_checked() {
    let folder = Folder::new("nats-tls");
    std::fs::create_dir_all(&folder.0).unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let files = ["certificate.pem", "key.pem"].map(|name| folder.0.join(name));
    std::fs::write(&files[0], made.cert.pem()).unwrap();
    std::fs::write(&files[1], made.signing_key.serialize_pem()).unwrap();
    let nats = Nats::start_with_tls(files.clone()).unwrap();
    let url = nats.node_url();
    assert!(url.starts_with("tls://"), "{url}");
    let args = [&serve(&folder.0, &url)[..], &["--check"]].concat();
    let refused = complaint(&args);
    assert!(refused.contains("certificate"), "{refused}");
    let mut trusting = Command::new(env!("CARGO_BIN_EXE_convoy"));
    let trusting = trusting.args(&args).env("SSL_CERT_FILE", &files[0]);
    let output = trusting.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    // Nobody is let in without.
    let plain = url.replace("tls://", "nats://");
    let plain = [&serve(&folder.0, &plain)[..], &["--check"]].concat();
    complaint(&plain);
}

#[test]
fn a_check_tries_nats_and_shows_no_password() {
    let (folder, nats) = (Folder::new("check-nats"), Nats::start().unwrap());
    let url = nats.node_url();
    let args = [&serve(&folder.0, &url)[..], &["--check"]].concat();
    let output = convoy(&args);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(told.contains("accepts this user"), "{told}");
    assert!(told.contains("\nnats = \"nats://node@127.0.0.1:"), "{told}");
}

#[test]
fn a_worker_ends_in_good_order() {
    let (folder, nats) = (Folder::new("worker"), Nats::start().unwrap());
    let (url, any) = (nats.node_url(), "127.0.0.1:0".parse().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.env("CONVOY_NATS", &url).stderr(Stdio::null());
    let server = ServerProcess::spawn(&mut command, any, &folder.0, &[]).unwrap();
    drop(server);
    let url = nats.worker_url();
    let worker = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["worker", "--nats", &url, "--slots", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut worker = worker.unwrap();
    let mut first = String::new();
    let output = worker.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut first).unwrap();
    assert!(
        first.contains("2 searches at once") && !first.contains("password"),
        "{first}"
    );
    let id = i32::try_from(worker.id()).unwrap();
    let pid = rustix::process::Pid::from_raw(id).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(worker.wait().unwrap().success());
}
