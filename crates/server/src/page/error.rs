use askama::Template;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;

use super::{Page, render};
use crate::refusal::Refusal;
use crate::session::Visitor;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    page: Page,
    status: u16,
    key: &'static str,
    detail: String,
}

fn key(status: StatusCode) -> &'static str {
    match status.as_u16() {
        404 => "error-404",
        403 => "error-403",
        408 => "error-408",
        429 => "error-429",
        500.. => "error-500",
        _ => "error-400",
    }
}

/// Words a refusal as a page, where a page was asked for.
pub(crate) async fn reword(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let visitor = request.extensions().get::<Visitor>().cloned();
    let response = next.run(request).await;
    let program = path.starts_with("/api/") || path.starts_with("/ws/");
    let refusal = response.extensions().get::<Refusal>().cloned();
    let (Some(refusal), Some(visitor), false) = (refusal, visitor, program) else {
        return response;
    };
    let status = response.status();
    let page = Page::new(&visitor, &path);
    // What was refused, where that says more than the title.
    let words = visitor.language.refusal(&refusal);
    let mut page = render(&ErrorPage {
        detail: if words == page.t(key(status)) {
            String::new()
        } else {
            words
        },
        page,
        status: status.as_u16(),
        key: key(status),
    });
    *page.status_mut() = status;
    page
}
