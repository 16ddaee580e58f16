//! Whose seats are whose, under random sequences of opening tables, registering, logging in and out,
//! revoking and deleting: every cookie that was ever given out is tried at every table.

use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::common::{PASSWORD, Site, Visitor};

/// Whom a seat belongs to, or whom a cookie stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Guest(usize),
    Account(usize),
    Nobody,
}

#[derive(Debug, Clone, Copy)]
enum Action {
    Open,
    Register(usize),
    LogIn(usize),
    LogOut,
    RevokeOthers,
    Delete,
}

/// A password may be tried five times at once.
const TRIES: usize = 4;

struct Cookie {
    visitor: Visitor,
    owner: Owner,
}

/// What must be true.
struct Model {
    site: Site,
    /// The cookie of each browser.
    browsers: Vec<usize>,
    cookies: Vec<Cookie>,
    tables: Vec<(String, Owner)>,
    /// How often the password of each account was asked for; none while there is no account.
    accounts: [Option<usize>; 2],
    guests: usize,
}

impl Model {
    async fn new(site: Site) -> Self {
        let mut model = Self {
            site,
            browsers: Vec::new(),
            cookies: Vec::new(),
            tables: Vec::new(),
            accounts: [None; 2],
            guests: 0,
        };
        for browser in 0..3 {
            model.browsers.push(browser);
            let visitor = model.site.visitor().await;
            model.guests += 1;
            let owner = Owner::Guest(browser);
            model.cookies.push(Cookie { visitor, owner });
        }
        model
    }

    /// The browser has a new cookie, which stands for this owner.
    async fn renew(&mut self, browser: usize, set_cookie: &str, owner: Owner) {
        let mut visitor = self.cookies[self.browsers[browser]].visitor.clone();
        visitor.take_cookie(set_cookie);
        visitor.reload().await;
        self.browsers[browser] = self.cookies.len();
        self.cookies.push(Cookie { visitor, owner });
    }

    async fn act(&mut self, browser: usize, action: Action) {
        let at = self.browsers[browser];
        let (visitor, owner) = (self.cookies[at].visitor.clone(), self.cookies[at].owner);
        match (action, owner) {
            (Action::Open, Owner::Nobody) => {}
            (Action::Open, _) => {
                let id = visitor.open(json!({ "opponent": "friend" })).await;
                self.tables.push((id, owner));
            }
            (Action::Register(account), Owner::Guest(_)) if self.accounts[account].is_none() => {
                self.accounts[account] = Some(0);
                self.enter(browser, account, "/account/register").await;
            }
            (Action::LogIn(account), Owner::Guest(_) | Owner::Account(_))
                if self.accounts[account].is_some_and(|tries| tries < TRIES) =>
            {
                self.enter(browser, account, "/account/login").await;
            }
            (Action::LogOut, Owner::Account(_)) => {
                let answer = visitor.form("/account/logout", "").await;
                self.leave(browser, at, &answer).await;
            }
            (Action::RevokeOthers, Owner::Account(_)) => {
                let answer = visitor.form("/account/sessions/revoke-others", "").await;
                assert_eq!(answer.status, StatusCode::SEE_OTHER);
                for (other, cookie) in self.cookies.iter_mut().enumerate() {
                    if other != at && cookie.owner == owner {
                        cookie.owner = Owner::Nobody;
                    }
                }
            }
            (Action::Delete, Owner::Account(account))
                if self.accounts[account].is_some_and(|tries| tries < TRIES) =>
            {
                let fields = format!("password={}", PASSWORD.replace(' ', "+"));
                let answer = visitor.form("/account/delete", &fields).await;
                self.accounts[account] = None;
                self.replace(owner, Owner::Nobody);
                for cookie in self.cookies.iter_mut().filter(|c| c.owner == owner) {
                    cookie.owner = Owner::Nobody;
                }
                self.leave(browser, at, &answer).await;
            }
            _ => {}
        }
    }

    async fn enter(&mut self, browser: usize, account: usize, path: &str) {
        let at = self.browsers[browser];
        let visitor = self.cookies[at].visitor.clone();
        let password = PASSWORD.replace(' ', "+");
        let fields = format!("name=player_{account}&password={password}");
        let answer = visitor.form(path, &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        *self.accounts[account].as_mut().unwrap() += 1;
        if let guest @ Owner::Guest(_) = self.cookies[at].owner {
            self.replace(guest, Owner::Account(account));
        }
        self.cookies[at].owner = Owner::Nobody;
        let cookie = answer.headers[SET_COOKIE].to_str().unwrap().to_owned();
        self.renew(browser, &cookie, Owner::Account(account)).await;
    }

    async fn leave(&mut self, browser: usize, at: usize, answer: &crate::common::Answer) {
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        self.cookies[at].owner = Owner::Nobody;
        let cookie = answer.headers[SET_COOKIE].to_str().unwrap().to_owned();
        let guest = Owner::Guest(self.guests);
        self.guests += 1;
        self.renew(browser, &cookie, guest).await;
    }

    fn replace(&mut self, from: Owner, to: Owner) {
        for (_, owner) in self.tables.iter_mut().filter(|(_, owner)| *owner == from) {
            *owner = to;
        }
    }

    async fn check(&self) {
        for (table, owner) in &self.tables {
            for cookie in &self.cookies {
                let own = *owner != Owner::Nobody && cookie.owner == *owner;
                let seated = !cookie.visitor.view(table).await["you"].is_null();
                assert_eq!(seated, own, "{:?} at a table of {owner:?}", cookie.owner);
            }
        }
        for cookie in &self.cookies {
            let me = cookie.visitor.get("/api/v1/me").await.json();
            let account = matches!(cookie.owner, Owner::Account(_));
            assert_eq!(me["account"], account, "{:?}", cookie.owner);
        }
    }
}

fn action() -> impl Strategy<Value = (usize, Action)> {
    let action = prop_oneof![
        3 => Just(Action::Open),
        2 => (0_usize..2).prop_map(Action::Register),
        3 => (0_usize..2).prop_map(Action::LogIn),
        2 => Just(Action::LogOut),
        1 => Just(Action::RevokeOthers),
        1 => Just(Action::Delete),
    ];
    (0_usize..3, action)
}

#[test]
fn no_cookie_ever_opens_what_is_not_its_own() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let deep = std::env::var_os("CONVOY_DEEP").is_some();
    // Each case hashes passwords, which is slow by design.
    let mut runner = TestRunner::new(Config {
        cases: if deep { 300 } else { 12 },
        source_file: Some(file!()),
        ..Config::default()
    });
    let actions = proptest::collection::vec(action(), 1..16);
    let run = |actions: Vec<(usize, Action)>| {
        runtime.block_on(async {
            let mut model = Model::new(Site::start().await).await;
            for (browser, action) in actions {
                model.act(browser, action).await;
            }
            model.check().await;
        });
        Ok(())
    };
    runner.run(&actions, run).unwrap();
}
