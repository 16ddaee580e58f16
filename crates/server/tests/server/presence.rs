//! Who counts as here: whoever is connected, and whoever has acted over HTTP.

use serde_json::json;

use crate::common::{Site, pair};

#[tokio::test]
async fn people_who_play_by_http_only_are_here() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let mut onlooker = site.visitor().await.join(&table).await;
    onlooker.until("presence").await;
    assert_eq!(onlooker.presence["online"], json!([true, true]));
    assert_eq!(onlooker.presence["away"], json!([null, null]));
    let act = format!("/api/v1/tables/{table}/act");
    let seq = red.view(&table).await["seq"].clone();
    let turn = json!({ "t": "move", "seq": seq, "d": { "move": "Ic5c6" } });
    assert_eq!(red.post(&act, &turn).await.status.as_u16(), 200);
    // The other side may not claim the game from somebody who is here.
    let claim = json!({ "t": "claim", "d": {} });
    let refused = blue.post(&act, &claim).await;
    assert_eq!(refused.json()["error"]["why"]["code"], "here");
}

#[tokio::test]
async fn whoever_closes_the_page_is_gone_though_they_acted_before() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let mut a = red.join(&table).await;
    let b = blue.join(&table).await;
    a.until_online([true, true]).await;
    drop(b);
    a.until_online([true, false]).await;
}
