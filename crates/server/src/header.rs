//! What every answer says to browsers, and where a request may come from.

use axum::extract::Request;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::refusal::Refusal;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; media-src 'self'; \
    manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Sets the headers that keep a page to itself.
pub(crate) async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in ALWAYS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
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
