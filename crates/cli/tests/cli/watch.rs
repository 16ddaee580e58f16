//! `examples/watch_tractor.rs` against a server: a table of bots, seen by an onlooker and by the player who opened it.

use convoy_test_client::client::Client;
use serde_json::json;
use tractor::Stage;

use crate::kill_tractor::shuffle;
use crate::process::{Folder, start};
use crate::watch_tractor::{watch, words};

#[tokio::test]
async fn the_example_reads_views_from_the_socket() {
    let folder = Folder::new("watch");
    let server = start(&folder.0);
    let player = Client::new(server.address).await.unwrap();
    let table = json!({ "game": "tractor", "opponent": "bot", "level": 1 });
    let table = player.open(&table).await.unwrap();
    // The bots are ready; the deal waits for the player's share of the shuffle.
    let mut sockets = [player.join(&table, None).await.unwrap()];
    shuffle(&mut sockets).await;
    let url = format!("ws://{}/ws/table/{table}", server.address);
    // Whoever opened the table has cards, and an onlooker sees none of them.
    for (cookie, own) in [(Some(&*player.cookie), true), (None, false)] {
        let mut seen = 0;
        let show = |view: &tractor::View| {
            seen += 1;
            assert!(words(view).contains("cards in hand"));
            assert_eq!(view.viewer.is_some(), own);
            view.stage == Stage::Dealing && view.dealt < 40
        };
        watch(&url, cookie, show).await.unwrap();
        assert!(seen > 0);
    }
}
