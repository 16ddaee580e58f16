//! Floods of log-ins and registrations.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use convoy_server::{Config, Passwords, Rate, Rates};

use super::{only, site};
use crate::common::{Answer, Site, Visitor, config};

async fn log_in_from(who: &Visitor, address: &str, fields: &str) -> Answer {
    let request = who
        .request(Method::POST, "/account/login")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(ORIGIN, "http://test")
        .header("x-forwarded-for", address)
        .body(Body::from(format!("csrf={}&{fields}", who.csrf)));
    who.send(request.unwrap()).await
}

const OWNER: &str = "name=Owner&password=correct-horse";

/// A site with an account, and somebody else.
async fn with_account(rates: Rates) -> (Site, Visitor, Answer) {
    let site = site(rates).await;
    let owner = site.visitor().await;
    let answer = owner.form("/account/register", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let other = site.visitor().await;
    (site, other, answer)
}

/// A new guest on the device of whoever was answered so.
async fn known_device(site: &Site, answer: &Answer) -> Visitor {
    let cookies = answer.headers.get_all("set-cookie").iter();
    let cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let mut device = cookies.map(|cookie| cookie.split(';').next().unwrap());
    let device = device.find(|cookie| cookie.starts_with("convoy_device="));
    let mut known = site.visitor().await;
    known.cookie = format!("{}; {}", known.cookie, device.unwrap());
    known
}

/// So many guesses wait from so many addresses that there is room for no other.
#[tokio::test(flavor = "multi_thread")]
async fn m4_a_known_device_finds_room_in_a_queue_full_of_guesses() {
    let site = Site::with(Config {
        passwords: Passwords {
            threads: 1,
            queue: 2,
        },
        ..config()
    })
    .await;
    let owner = site.visitor().await;
    let mut answer = owner.form("/account/register", OWNER).await;
    let attacker = site.visitor().await;
    let mut guesses = Vec::new();
    for number in 0..100 {
        let who = attacker.clone();
        guesses.push(tokio::spawn(async move {
            let address = format!("198.51.100.{number}");
            let mut tried = Vec::new();
            for _ in 0..3 {
                let guess = log_in_from(&who, &address, "name=Owner&password=guess").await;
                tried.push(guess.status.as_u16());
            }
            tried
        }));
    }
    for _ in 0..5 {
        let known = known_device(&site, &answer).await;
        answer = log_in_from(&known, "192.0.2.1", OWNER).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    }
    let mut tried = Vec::new();
    for guess in guesses {
        tried.extend(guess.await.unwrap());
    }
    let count = |status| tried.iter().filter(|one| **one == status).count();
    assert_eq!(count(401) + count(503), 300, "{tried:?}");
    assert!(count(503) > 0, "the queue was full");
}

#[tokio::test]
async fn m4_guesses_lock_nobody_out_and_names_are_not_sprayed() {
    let rates = Rates {
        logins: only(3.0),
        logins_per_address: only(8.0),
        ..config().rates
    };
    let (site, attacker, registered) = with_account(rates).await;
    // One name from one address.
    for status in [401, 401, 401, 429, 429] {
        let answer = log_in_from(&attacker, "192.0.2.1", "name=Owner&password=guess").await;
        assert_eq!(answer.status.as_u16(), status);
    }
    // Many names from one address: the rest of eight.
    let mut tried = 0;
    for name in 0..20 {
        let fields = format!("name=Nobody{name}&password=guess");
        let answer = log_in_from(&attacker, "192.0.2.1", &fields).await;
        tried += usize::from(answer.status == StatusCode::UNAUTHORIZED);
    }
    assert!(tried <= 5, "{tried}");
    // The owner elsewhere does not notice.
    let owner = site.visitor().await;
    let answer = log_in_from(&owner, "192.0.2.2", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    // Nor does the owner next to the attacker, on a device that logged in before.
    let known = known_device(&site, &registered).await;
    let answer = log_in_from(&known, "192.0.2.1", OWNER).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    // The device helps with that account alone.
    let known = known_device(&site, &registered).await;
    let fields = "name=Nobody0&password=guess";
    let answer = log_in_from(&known, "192.0.2.1", fields).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    // A forged one does not help at all.
    let mut forged = site.visitor().await;
    forged.cookie = format!("{}; convoy_device=00-{}", forged.cookie, "0".repeat(64));
    let answer = log_in_from(&forged, "192.0.2.1", OWNER).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn m4_accounts_are_not_registered_by_the_hundred() {
    let site = site(Rates {
        registrations_per_address: only(2.0),
        ..config().rates
    })
    .await;
    for (name, status) in [("Ann", 303), ("Bob", 303), ("Cat", 429)] {
        let who = site.visitor().await;
        let request = who
            .request(Method::POST, "/account/register")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, "http://test")
            .header("x-forwarded-for", "192.0.2.1")
            .body(Body::from(format!(
                "csrf={}&name={name}&password=seven-lanterns",
                who.csrf
            )));
        let answer = who.send(request.unwrap()).await;
        assert_eq!(answer.status.as_u16(), status, "{name}");
    }
}

/// The memory of this process that lies in the machine's, in megabytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: u64 = line
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    kilobytes / 1024
}

/// The memory is that of the hashing threads, however many passwords are tried at once. Each takes
/// 19 MiB, so a hundred that kept theirs would be seen.
#[tokio::test(flavor = "multi_thread")]
async fn m3_wrong_passwords_take_bounded_memory() {
    let free = Rate {
        burst: 1e6,
        per_second: 1e6,
    };
    let rates = Rates {
        logins: free,
        logins_per_address: free,
        ..config().rates
    };
    let (_site, attacker, _) = with_account(rates).await;
    let before = resident();
    let mut answers = Vec::new();
    for number in 0..120 {
        let who = attacker.clone();
        answers.push(tokio::spawn(async move {
            let address = format!("192.0.2.{}", number % 200);
            log_in_from(&who, &address, "name=Owner&password=guess")
                .await
                .status
                .as_u16()
        }));
    }
    let mut wrong = 0;
    for answer in answers {
        match answer.await.unwrap() {
            401 => wrong += 1,
            // The queue was full.
            status => assert_eq!(status, 503),
        }
    }
    assert!(wrong > 0);
    let grown = resident().saturating_sub(before);
    assert!(grown < 300, "{grown} MB more after {wrong} guesses");
}
