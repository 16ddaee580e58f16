//! A connection that dies without a word: bytes vanish, and no end tells of it.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::cdp::{Browser, Page};
use super::desk::{KINDS, clean, ready, turns};
use super::hand::Hand;
use crate::common::Site;

/// A way to the server that a test can stop: what is under way waits, and nobody is told.
struct Proxy {
    address: SocketAddr,
    stalled: watch::Sender<bool>,
}

impl Proxy {
    async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stalled, state) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let state = state.clone();
                tokio::spawn(async move {
                    let Ok(server) = TcpStream::connect(server).await else {
                        return;
                    };
                    let (from_client, to_client) = client.into_split();
                    let (from_server, to_server) = server.into_split();
                    tokio::join!(
                        forward(from_client, to_server, state.clone()),
                        forward(from_server, to_client, state),
                    );
                });
            }
        });
        Self { address, stalled }
    }
}

async fn forward(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    mut stalled: watch::Receiver<bool>,
) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if stalled.wait_for(|stalled| !stalled).await.is_err()
            || to.write_all(&bytes[..count]).await.is_err()
        {
            return;
        }
    }
}

/// Ann plays through the proxy, Bob directly.
async fn friends(site: &Site, proxy: &Proxy, ann: &Page, bob: &Page) {
    ann.goto(&format!("http://{}/?lang=en", proxy.address))
        .await;
    ann.click("#play [name=opponent][value=friend]").await;
    ann.eval(&format!("document.querySelector('#color').value = 'r', document.querySelector('#minutes').value = '5', document.querySelector('.from-fen').open = true, document.querySelector('#new-fen').value = '{KINDS}'")).await;
    ann.click("#play .new-game > button").await;
    ann.until("location.pathname.startsWith('/game/')").await;
    let path = ann.eval("location.pathname").await;
    bob.goto(&format!(
        "http://{}{}?lang=en",
        site.address,
        path.as_str().unwrap()
    ))
    .await;
    bob.click("[data-act=sit]").await;
    ready(ann).await;
}

/// The connection is stopped in the middle of a game with clocks, and Ann plays into the void: the
/// page notices by itself, goes on when the connection is back, and the move arrives once.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_connection_is_noticed_and_heals() {
    let (site, browser) = (Site::start().await, Browser::start());
    let (ann, bob) = (browser.person().await, browser.person().await);
    let proxy = Proxy::to(site.address).await;
    friends(&site, &proxy, &ann, &bob).await;
    let hand = Hand::Mouse;
    for (page, from, to) in [(&ann, "c3", "d3"), (&bob, "c12", "c11")] {
        ready(page).await;
        hand.square(page, from).await;
        hand.square(page, to).await;
    }
    turns(&ann, 2).await;
    ready(&ann).await;

    proxy.stalled.send_replace(true);
    hand.square(&ann, "d3").await;
    hand.square(&ann, "e3").await;
    ann.until("document.querySelector('#status .offline')")
        .await;
    let said = ann
        .eval("document.querySelector('#status').innerText")
        .await;
    let said = said.as_str().unwrap();
    assert!(said.contains("Reconnecting"), "{said}");
    assert!(said.contains("Your clock keeps running"), "{said}");
    assert_eq!(
        bob.eval("document.querySelectorAll('button.turn').length")
            .await,
        2
    );

    proxy.stalled.send_replace(false);
    ann.until("!document.querySelector('#status .offline')")
        .await;
    for page in [&ann, &bob] {
        turns(page, 3).await;
    }
    ready(&bob).await;
    hand.square(&bob, "c11").await;
    hand.square(&bob, "c10").await;
    turns(&ann, 4).await;
    let moves = "[...document.querySelectorAll('button.turn')].map((e) => e.innerText).join(' ')";
    assert_eq!(ann.eval(moves).await, bob.eval(moves).await);
    assert_eq!(
        ann.eval("document.querySelectorAll('button.turn').length")
            .await,
        4,
        "no move is lost or doubled"
    );
    clean(&ann);
    clean(&bob);
}

/// How long a page waits for an answer before it calls the connection dead is no matter of luck.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_connection_shows_within_five_seconds() {
    let (site, browser) = (Site::start().await, Browser::start());
    let page = browser.person().await;
    page.goto(&format!("http://{}/", site.address)).await;
    let most = page
        .eval("import(document.querySelector('script[type=module]').src.replace('home.js', 'socket.js')).then((module) => module.NOTICED)")
        .await;
    assert!(most.as_f64().unwrap() < 5000.0, "{most}");
}

/// The lobby answers pings too: its list stays connected when nothing changes.
#[tokio::test]
async fn the_lobby_answers_pings() {
    let site = Site::start().await;
    let mut lobby = site.visitor().await.socket("/ws/lobby").await;
    lobby.text(r#"{"t":"ping","d":{}}"#).await;
    assert_eq!(lobby.until("pong").await["t"], "pong");
}
