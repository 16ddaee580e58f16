//! Waiting for what the server does by itself and nothing announces.

use std::time::Duration;

use super::LONG;

/// Between two looks: short beside what is waited for, and long enough to leave the processor to it.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks again and again until there is something, and fails where that takes `LONG`.
pub(crate) async fn until_some<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let found = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let found = tokio::time::timeout(LONG, found).await;
    found.unwrap_or_else(|_| panic!("waited in vain: {what}"))
}

/// Looks again and again until it is so, and fails where that takes `LONG`.
pub(crate) async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    until_some(what, async || is_so().await.then_some(())).await;
}
