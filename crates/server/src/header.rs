//! What every answer says to browsers, and where a request may come from.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::client::ClientAddr;
use crate::config::PublicUrl;
use crate::refusal::Refusal;

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; media-src 'self'; \
    manifest-src 'self'; form-action 'self'; base-uri 'none'";

/// Everything that a page loads is ours: so it may share memory with its workers, whose searches can be stopped then. A
/// worker of such a page has to say the same.
pub(crate) const ISOLATED: (HeaderName, &str) = (
    HeaderName::from_static("cross-origin-embedder-policy"),
    "require-corp",
);

/// Lets isolated sites load an answer.
const OF_OTHERS: (HeaderName, &str) = (
    HeaderName::from_static("cross-origin-resource-policy"),
    "cross-origin",
);

/// What only a document heeds: scripts and styles, of which a page has dozens, do without.
const OF_DOCUMENTS: [(HeaderName, &str); 4] = [
    (REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    ISOLATED,
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Marks an answer that other sites may show in a frame: nothing in it acts in the visitor's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Framable;

/// `Cache-Control` of personal answers.
pub(crate) const PERSONAL: &str = "private, no-store";

/// HSTS for a year, for this host alone: its subdomains may belong to other services.
const TLS_ALONE: &str = "max-age=31536000";

/// What a trusted proxy says of the visitor's connection. A proxy that says nothing leaves it to the
/// public address.
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Marks requests that the visitor sent over TLS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Https;

/// Whether the visitor's request came over TLS. With several proxies the first value is that of the
/// one next to the visitor.
fn is_tls(headers: &HeaderMap) -> bool {
    let told = headers.get(FORWARDED_PROTO);
    let first = told.and_then(|told| told.to_str().ok()?.split(',').next());
    first.is_some_and(|first| first.trim().eq_ignore_ascii_case("https"))
}

/// Sets the security headers, and `Cache-Control` where no handler has set it.
pub(crate) async fn protect(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let client = ClientAddr::of(app.config(), &request);
    let by_proxy = client.is_proxied
        && if request.headers().contains_key(FORWARDED_PROTO) {
            is_tls(request.headers())
        } else {
            let public = app.config().public_url.as_ref();
            public.is_some_and(PublicUrl::is_https)
        };
    // Served by ourselves, it is marked already.
    let encrypted = by_proxy || request.extensions().get::<Https>().is_some();
    if encrypted {
        request.extensions_mut().insert(Https);
    }
    let mut response = next.run(request).await;
    let framable = response.extensions().get::<Framable>().is_some();
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !is_part(headers) {
        for (name, value) in OF_DOCUMENTS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        set_framing(headers, framable);
    }
    if encrypted {
        let value = HeaderValue::from_static(TLS_ALONE);
        headers.insert(STRICT_TRANSPORT_SECURITY, value);
    }
    set_cache_control(headers);
    response
}

/// Says who may show a document in a frame: nobody, or everybody.
fn set_framing(headers: &mut HeaderMap, framable: bool) {
    let ancestors = if framable { "*" } else { "'none'" };
    let policy = format!("{POLICY}; frame-ancestors {ancestors}");
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    if framable {
        // Sites that are isolated themselves show no frame that does not say so.
        let (name, value) = OF_OTHERS;
        headers.insert(name, HeaderValue::from_static(value));
    } else {
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
}

/// Whether an answer is a script or a style, which is never shown by itself.
fn is_part(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .map_or(&b""[..], HeaderValue::as_bytes);
    kind.starts_with(b"text/javascript") || kind.starts_with(b"text/css")
}

/// Public answers carry no cookie; every answer that is not marked as public is personal.
fn set_cache_control(headers: &mut HeaderMap) {
    match headers.get(CACHE_CONTROL) {
        Some(cache) if cache.as_bytes().starts_with(b"public") => {
            headers.remove(SET_COOKIE);
        }
        Some(_) => {}
        None => {
            let value = HeaderValue::from_static(PERSONAL);
            headers.insert(CACHE_CONTROL, value);
        }
    }
}

/// Refuses what another site's page sends in the visitor's name.
pub(crate) async fn same_origin(request: Request, next: Next) -> Response {
    let safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    if !safe && !is_own_origin(request.headers()) {
        return Refusal::ForeignOrigin.into_response();
    }
    next.run(request).await
}

/// Whether the request comes from a page of this server, or from no page at all. Browsers always
/// say where a socket or a form comes from.
pub(crate) fn is_own_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else {
        return true;
    };
    let Some(host) = headers.get(HOST) else {
        return false;
    };
    let authority = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"));
    authority.is_some_and(|(_, authority)| authority.as_bytes() == host.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_is_what_the_first_proxy_says() {
        let of = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-proto", HeaderValue::from_static(line));
            }
            is_tls(&headers)
        };
        for yes in [
            &["https"][..],
            &["HTTPS"],
            &[" https , http"],
            &["https", "http"],
        ] {
            assert!(of(yes), "{yes:?}");
        }
        for no in [
            &[][..],
            &["http"],
            &[""],
            &["http, https"],
            &["http", "https"],
            &["httpsx"],
        ] {
            assert!(!of(no), "{no:?}");
        }
    }

    #[test]
    fn what_is_for_everybody_carries_no_cookie() {
        let of = |cache: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(SET_COOKIE, HeaderValue::from_static("a=b"));
            if let Some(cache) = cache {
                headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
            }
            set_cache_control(&mut headers);
            let cookie = headers.contains_key(SET_COOKIE);
            (headers[CACHE_CONTROL].clone(), cookie)
        };
        assert_eq!(of(None), (HeaderValue::from_static(PERSONAL), true));
        let public = "public, max-age=9";
        assert_eq!(of(Some(public)), (HeaderValue::from_static(public), false));
        let personal = of(Some(PERSONAL));
        assert_eq!(personal, (HeaderValue::from_static(PERSONAL), true));
    }

    #[test]
    fn an_origin_must_be_the_host_to_the_letter() {
        let of = |origin: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("play.example:8080"));
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
            is_own_origin(&headers)
        };
        assert!(of("http://play.example:8080"));
        assert!(of("https://play.example:8080"));
        for foreign in [
            "http://evil.example",
            "http://play.example:8080.evil",
            "null",
            "http://play.example",
        ] {
            assert!(!of(foreign), "{foreign}");
        }
        assert!(is_own_origin(&HeaderMap::new()));
    }
}
