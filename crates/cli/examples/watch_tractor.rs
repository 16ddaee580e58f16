//! Follows a table of Tractor over its socket, with the types of the rules crate:
//! `cargo run -p convoy --example watch_tractor -- ws://127.0.0.1:8080/ws/table/ID [COOKIE]`.
//! Without a cookie it sees what an onlooker sees, with that of a player what the player's seat sees.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tractor::{Stage, View};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let url = args.next().ok_or("usage: watch_tractor URL [COOKIE]")?;
    let show = |view: &View| {
        println!("{}", words(view));
        view.stage != Stage::Over
    };
    watch(&url, args.next().as_deref(), show).await
}

/// Shows every view of a round until `show` has seen enough or the table is closed.
pub(crate) async fn watch(
    url: &str,
    cookie: Option<&str>,
    mut show: impl FnMut(&View) -> bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut request = url.into_client_request()?;
    if let Some(cookie) = cookie {
        request.headers_mut().insert("cookie", cookie.parse()?);
    }
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
    let mut state = Value::Null;
    while let Some(message) = socket.next().await {
        // What is no JSON, such as a ping, tells nothing.
        let frame: Value = serde_json::from_str(message?.to_text()?).unwrap_or_default();
        let fields = match frame["t"].as_str() {
            Some("view") => &frame["d"],
            Some("event") => &frame["d"]["set"],
            _ => continue,
        };
        for (name, value) in fields.as_object().into_iter().flatten() {
            state[name] = value.clone();
        }
        // Before the first deal a table waits and shuffles: there is no round to view.
        let dealt = !matches!(state["stage"].as_str(), Some("waiting" | "shuffling"));
        if dealt && !show(&serde_json::from_value(state.clone())?) {
            break;
        }
    }
    Ok(())
}

/// What there is to see, and how many plays the seat has where it is its turn.
pub(crate) fn words(view: &View) -> String {
    let (stage, hand) = (view.stage, view.hand.len());
    let plays = view.legal_plays(0).map_or(0, |legal| legal.count);
    format!("{stage:?}: {hand} cards in hand, {plays} legal plays")
}
