//! People with accounts who look at pages all the time. Whatever happens to the nodes, they stay who they are.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::{Answer, Client, Fault};

/// From one page to the next.
const PACE: Duration = Duration::from_millis(40);
/// Whoever has not seen a page by then has seen an error.
const PATIENCE: Duration = Duration::from_secs(20);

/// People who look at pages, until they are dropped.
#[derive(Debug)]
pub struct Visitors {
    tasks: JoinSet<()>,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    pages: AtomicUsize,
    /// What was not the page of whoever asked, and when that was.
    wrong: Mutex<Vec<(Instant, String)>>,
}

impl Visitors {
    /// Lets so many people open an account and look at pages from then on.
    pub async fn come(address: SocketAddr, count: usize) -> Result<Self, Fault> {
        let mut visitors = Self {
            tasks: JoinSet::new(),
            seen: Arc::default(),
        };
        for number in 0..count {
            let visitor = Visitor::new(address, format!("Visitor{number}")).await?;
            let seen = Arc::clone(&visitors.seen);
            visitors.tasks.spawn(async move {
                for page in Page::ALL.into_iter().cycle() {
                    let asked = Instant::now();
                    if let Err(fault) = visitor.look(page).await {
                        let wrong = (asked, format!("{page:?}: {fault}"));
                        lock(&seen.wrong).push(wrong);
                    }
                    seen.pages.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(PACE).await;
                }
            });
        }
        Ok(visitors)
    }

    /// How many pages were asked for so far.
    pub fn pages(&self) -> usize {
        self.seen.pages.load(Ordering::Relaxed)
    }

    /// What came from this moment on and was not the page of whoever asked.
    pub fn wrong(&self, since: Instant) -> Vec<String> {
        let wrong = lock(&self.seen.wrong);
        let late = wrong.iter().filter(|(asked, _)| *asked >= since);
        late.map(|(_, text)| text.clone()).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}

/// A page, or what a page asks for.
#[derive(Debug, Clone, Copy)]
enum Page {
    Home,
    Account,
    Archive,
    Me,
    Game,
    Table,
}

impl Page {
    const ALL: [Self; 6] = [
        Self::Home,
        Self::Account,
        Self::Archive,
        Self::Me,
        Self::Game,
        Self::Table,
    ];
}

/// Somebody with an account and a table.
struct Visitor {
    client: Client,
    name: String,
    table: String,
}

impl Visitor {
    async fn new(address: SocketAddr, name: String) -> Result<Self, Fault> {
        let client = Client::registered(address, &name).await?;
        let new_table = json!({ "opponent": "friend", "color": "r" });
        let table = client.open(&new_table).await?;
        Ok(Self {
            client,
            name,
            table,
        })
    }

    /// Looks at a page; anything else than that page as its player must see it is a fault.
    async fn look(&self, page: Page) -> Result<(), Fault> {
        let path = match page {
            Page::Home => "/".to_owned(),
            Page::Account => "/account".to_owned(),
            Page::Archive => format!("/archive/{}", self.name),
            Page::Me => "/api/v1/me".to_owned(),
            Page::Game => format!("/game/{}", self.table),
            Page::Table => format!("/api/v1/tables/{}", self.table),
        };
        let asked = timeout(PATIENCE, self.client.request("GET", &path, None));
        let answer = asked.await.map_err(|_| "no answer")??;
        if answer.status != 200 {
            let body: String = answer.body.chars().take(200).collect();
            return Err(format!("{}: {body}", answer.status).into());
        }
        if let Some(cookie) = answer.session_cookie()
            && cookie != self.client.cookie
        {
            return Err("another session".into());
        }
        if self.is_own(page, &answer)? {
            Ok(())
        } else {
            Err("the page of somebody else".into())
        }
    }

    /// Whether an answer is for this very player.
    fn is_own(&self, page: Page, answer: &Answer) -> Result<bool, Fault> {
        Ok(match page {
            Page::Home | Page::Archive | Page::Game => answer.body.contains(&self.name),
            Page::Account => {
                let has_form = answer.body.contains("action=\"/account/login\"");
                answer.body.contains(&self.name) && !has_form
            }
            Page::Me => answer.json()? == json!({ "player": self.name, "account": true }),
            Page::Table => answer.json()?["you"] == 0,
        })
    }
}
