//! Cookies: signed to the letter, dated, and over TLS such that nobody can plant them.

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::header::{COOKIE, SET_COOKIE, STRICT_TRANSPORT_SECURITY};
use axum::http::{Method, StatusCode};
use convoy_server::{Config, PublicUrl};

use crate::common::{Answer, Site, Visitor, config, database, signed};

async fn ask(site: &Site, cookie: &str, proto: Option<&str>, path: &str) -> Answer {
    let visitor = Visitor {
        site: site.clone(),
        cookie: String::new(),
        csrf: String::new(),
    };
    let mut request = visitor.request(Method::GET, path);
    if !cookie.is_empty() {
        request = request.header(COOKIE, cookie);
    }
    if let Some(proto) = proto {
        request = request.header("x-forwarded-proto", proto);
    }
    visitor.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn guests_of_earlier_versions_stay_who_they_are() {
    let store = database::fresh().await;
    store.get_or_insert("key", "known").await.unwrap();
    let site = Site::over(store, config()).await;
    let secret = "0123456789abcdef0123456789abcdef";
    let today = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs() / (24 * 60 * 60);
    let undated = signed("known", "convoy", &format!("g{secret}"));
    let answer = ask(&site, &undated, None, "/api/v1/me").await;
    let player = answer.json()["player"].clone();
    // The cookie is dated at once, and means the same player from then on, also over TLS.
    let dated = answer.session_cookie().unwrap();
    assert!(dated.starts_with(&format!("convoy=g{secret}-")), "{dated}");
    assert_eq!(
        ask(&site, &dated, None, "/api/v1/me").await.json()["player"],
        player
    );
    let answer = ask(&site, &undated, Some("https"), "/api/v1/me").await;
    assert_eq!(answer.json()["player"], player);
    let moved = answer.session_cookie().unwrap();
    assert!(
        moved.starts_with(&format!("__Host-convoy=g{secret}-")),
        "{moved}"
    );
    let cleared = answer.headers.get_all(SET_COOKIE).iter();
    let cleared = cleared.filter(|cookie| cookie.to_str().unwrap().starts_with("convoy=;"));
    assert_eq!(cleared.count(), 1, "the old name is cleared");
    // A cookie lives on while it is used, and no longer.
    for (age, lives, renewed) in [
        (0, true, false),
        (8, true, true),
        (179, true, true),
        (182, false, true),
    ] {
        let cookie = signed("known", "convoy", &format!("g{secret}-{}", today - age));
        let answer = ask(&site, &cookie, None, "/api/v1/me").await;
        assert_eq!(answer.json()["player"] == player, lives, "{age}");
        assert_eq!(answer.session_cookie().is_some(), renewed, "{age}");
    }
}

/// A trusted proxy that says nothing about the connection: the public address decides.
#[tokio::test]
async fn the_public_address_tells_of_tls_where_the_proxy_does_not() {
    for (url, proto, is_secure) in [
        ("https://play.example", None, true),
        ("https://play.example", Some("http"), false),
        ("http://play.example", None, false),
        ("http://play.example", Some("https"), true),
    ] {
        let public_url = Some(PublicUrl::try_from(url.to_owned()).unwrap());
        let site = Site::with(Config {
            public_url,
            ..config()
        })
        .await;
        let answer = ask(&site, "", proto, "/").await;
        let cookie = answer.session_cookie().unwrap();
        assert_eq!(cookie.starts_with("__Host-"), is_secure, "{url} {proto:?}");
        let strict = answer.headers.contains_key(STRICT_TRANSPORT_SECURITY);
        assert_eq!(strict, is_secure, "{url} {proto:?}");
    }
}

/// `Secure` needed exactly `https`; the language cookie never had it; no HSTS.
#[tokio::test]
async fn over_tls_cookies_are_secure_and_nobody_can_plant_them() {
    let site = Site::start().await;
    for proto in ["https", "HTTPS", "https, http", "Https ,https"] {
        let answer = ask(&site, "", Some(proto), "/?lang=vi").await;
        let cookies: Vec<&str> = answer
            .headers
            .get_all(SET_COOKIE)
            .iter()
            .map(|c| c.to_str().unwrap())
            .collect();
        assert_eq!(cookies.len(), 2, "{proto}");
        assert!(cookies[0].starts_with("__Host-convoy="), "{cookies:?}");
        assert!(cookies[1].starts_with("lang=vi"), "{cookies:?}");
        for cookie in cookies {
            assert!(
                cookie.ends_with("; Secure") && cookie.contains("Path=/;"),
                "{cookie}"
            );
            assert!(!cookie.contains("Domain"), "{cookie}");
        }
        assert_eq!(
            answer.headers[STRICT_TRANSPORT_SECURITY],
            "max-age=31536000"
        );
    }
    for proto in [None, Some("http"), Some("http, https"), Some("")] {
        let answer = ask(&site, "", proto, "/?lang=vi").await;
        for cookie in answer.headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(
                !cookie.contains("Secure") && !cookie.contains("__Host-"),
                "{cookie}"
            );
        }
        assert!(!answer.headers.contains_key(STRICT_TRANSPORT_SECURITY));
    }
    // A plain cookie of this version is not believed over TLS: anybody on the line can set one.
    let plain = site.visitor().await;
    let answer = ask(&site, &plain.cookie, Some("https"), "/api/v1/me").await;
    assert_ne!(
        answer.json()["player"],
        plain.get("/api/v1/me").await.json()["player"]
    );
    let own = answer.session_cookie().unwrap();
    let both = format!("{}; {own}", plain.cookie);
    let again = ask(&site, &both, Some("https"), "/api/v1/me").await;
    assert_eq!(again.json(), answer.json());
    assert!(again.session_cookie().is_none());
}

#[tokio::test]
async fn the_language_form_sets_a_secure_cookie_over_tls() {
    let site = Site::start().await;
    let page = ask(&site, "", Some("https"), "/").await;
    let cookie = page.session_cookie().unwrap();
    let (_, rest) = page.text.split_once("name=\"csrf\" value=\"").unwrap();
    let csrf = rest.split('"').next().unwrap();
    let visitor = Visitor {
        site,
        cookie,
        csrf: csrf.to_owned(),
    };
    let request = visitor
        .request(Method::POST, "/language")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("x-forwarded-proto", "https")
        .body(Body::from(format!(
            "csrf={csrf}&lang=zh&back=/rules/tractor"
        )));
    let answer = visitor.send(request.unwrap()).await;
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, "/rules/tractor")
    );
    let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
    assert!(
        cookie.starts_with("lang=zh") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
}

#[tokio::test]
async fn only_a_trusted_proxy_says_that_the_line_is_encrypted() {
    let site = Site::start().await;
    let visitor = Visitor {
        site,
        cookie: String::new(),
        csrf: String::new(),
    };
    let from = std::net::SocketAddr::from(([192, 0, 2, 7], 4711));
    let mut request = visitor
        .request(Method::GET, "/")
        .header("x-forwarded-proto", "https")
        .body(Body::empty())
        .unwrap();
    request.extensions_mut().insert(ConnectInfo(from));
    let answer = visitor.send(request).await;
    assert!(!answer.headers.contains_key(STRICT_TRANSPORT_SECURITY));
    assert!(
        answer.headers[SET_COOKIE]
            .to_str()
            .unwrap()
            .starts_with("convoy=")
    );
}

/// `back=/<TAB>/evil` redirected off site.
#[tokio::test]
async fn a_form_leads_to_no_other_site() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for back in [
        "/%09/evil.example",
        "//evil.example",
        "/%5Cevil.example",
        "/%0A/evil",
        "https:evil",
        "/%C3%A9",
        "/%00",
    ] {
        let answer = ann.form("/language", &format!("lang=en&back={back}")).await;
        assert_eq!(
            (answer.status, answer.location()),
            (StatusCode::SEE_OTHER, "/"),
            "{back}"
        );
    }
}

/// The cookie's signature was accepted in upper case and with `+f`.
#[tokio::test]
async fn a_signature_is_taken_to_the_letter() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let name = |answer: Answer| answer.json()["player"].clone();
    let own = name(ann.get("/api/v1/me").await);
    let (token, signature) = ann.cookie.split_once('.').unwrap();
    let swapped: String = signature
        .chars()
        .map(|c| {
            if c.is_ascii_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c
            }
        })
        .collect();
    let mut forged = vec![
        format!("{token}.{swapped}"),
        format!("{token}.{signature} "),
    ];
    // `+f` was read as `0f`.
    for at in (0..64)
        .step_by(2)
        .filter(|at| signature[*at..].starts_with('0'))
    {
        forged.push(format!(
            "{token}.{}+{}",
            &signature[..at],
            &signature[at + 1..]
        ));
    }
    for cookie in forged {
        let thief = Visitor {
            cookie: format!("{cookie};"),
            ..ann.clone()
        };
        if cookie.trim_end() != ann.cookie {
            assert_ne!(name(thief.get("/api/v1/me").await), own, "{cookie}");
        }
    }
    // A date of its own needs a signature of its own.
    let (stem, _) = token.split_once('-').unwrap();
    let other = Visitor {
        cookie: format!("{stem}.{signature}"),
        ..ann.clone()
    };
    assert_ne!(name(other.get("/api/v1/me").await), own);
}
