//! TLS without a proxy: pages, cookies and sockets over it, and certificates that are renewed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use convoy_server::{App, Tls};
use futures_util::StreamExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::common::{Folder, config, database};

/// A certificate for `localhost` that signs itself, and its key, as files.
fn certificate(folder: &Folder) -> [PathBuf; 2] {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let files = ["certificate.pem", "key.pem"].map(|name| folder.0.join(name));
    std::fs::write(&files[0], made.cert.pem()).unwrap();
    std::fs::write(&files[1], made.signing_key.serialize_pem()).unwrap();
    files
}

async fn serve(files: &[PathBuf; 2]) -> SocketAddr {
    let app = App::new(database::fresh().await, config()).await.unwrap();
    let tls = Tls::load(&files[0], &files[1]).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(convoy_server::serve_tls(
        listener,
        tls,
        app,
        std::future::pending(),
    ));
    address
}

/// Connects, trusting this certificate alone.
async fn connect(address: SocketAddr, trusted: &PathBuf) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_file(trusted).unwrap();
    roots.add(certificate).unwrap();
    let client = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(client));
    connector.connect(name, stream).await.unwrap()
}

/// The headers of the answer to a request without a body.
async fn get(stream: &mut TlsStream<TcpStream>, path: &str, headers: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = Vec::new();
    while !text.ends_with(b"\r\n\r\n") {
        text.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(text).unwrap().to_lowercase()
}

#[tokio::test]
async fn pages_and_sockets_come_over_tls_with_secure_cookies() {
    let folder = Folder::new("tls");
    let files = certificate(&folder);
    let address = serve(&files).await;
    let mut stream = connect(address, &files[0]).await;
    let answer = get(&mut stream, "/", "").await;
    assert!(answer.starts_with("http/1.1 200"), "{answer}");
    assert!(answer.contains("set-cookie: __host-convoy="), "{answer}");
    assert!(answer.contains("; secure"), "{answer}");
    assert!(answer.contains("strict-transport-security: max-age="));

    let cookie = answer.split("set-cookie: __host-convoy=").nth(1).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let upgrade = format!(
        "cookie: __Host-convoy={cookie}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
         origin: https://localhost\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    let mut stream = connect(address, &files[0]).await;
    let answer = get(&mut stream, "/ws/lobby", &upgrade).await;
    assert!(answer.starts_with("http/1.1 101"), "{answer}");
    let role = tokio_tungstenite::tungstenite::protocol::Role::Client;
    let mut socket = tokio_tungstenite::WebSocketStream::from_raw_socket(stream, role, None).await;
    // Pings come in between.
    let first = loop {
        let message = socket.next().await.unwrap().unwrap();
        if message.is_text() {
            break message;
        }
    };
    assert!(first.to_text().unwrap().contains("\"lobby\""), "{first}");
}

#[tokio::test]
async fn whoever_does_not_speak_tls_is_not_answered() {
    let folder = Folder::new("tls-plain");
    let address = serve(&certificate(&folder)).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    // An alert of TLS, or nothing.
    let _ = stream.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
}

#[test]
fn files_that_do_not_fit_are_named() {
    let folder = Folder::new("tls-bad");
    let [good, key] = certificate(&folder);
    let other = Folder::new("tls-other");
    let [_, other_key] = certificate(&other);
    let empty = folder.0.join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let refused = |certificate: &PathBuf, key: &PathBuf| {
        let error = Tls::load(certificate, key).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    assert!(refused(&empty, &key).contains("empty.pem: there is no certificate"));
    assert!(refused(&good, &good).contains("certificate.pem: there is no key in it"));
    assert!(refused(&good, &folder.0.join("none.pem")).contains("none.pem: "));
    assert!(refused(&good, &other_key).contains("key.pem: with "));
}
