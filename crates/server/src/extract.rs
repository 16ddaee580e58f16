//! What requests bring, or a refusal that names the field.

use std::fmt;

use axum::body::Bytes;
use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::IntoResponse as _;
use convoy_protocol::Error;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use tokio::time::timeout;

use crate::app::App;
use crate::refusal::Refusal;

/// The fields of a query.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        // Mail programs and search engines add fields to links, so pages put up with them; a call has none but its own,
        // and the language.
        if !is_page(parts.uri.path()) {
            check_names::<T>(query, &["lang"])?;
        }
        urlencoded(query).map(Self)
    }
}

/// The parts of a path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(path)| Self(path))
            .map_err(|fault| bad_path(&fault))
    }
}

fn bad_path(fault: &PathRejection) -> Refusal {
    let PathRejection::FailedToDeserializePathParams(fault) = fault else {
        return Refusal::NoSuchPage;
    };
    let field = match fault.kind() {
        ErrorKind::InvalidUtf8InPathParam { key }
        | ErrorKind::ParseErrorAtKey { key, .. }
        | ErrorKind::DeserializeError { key, .. } => key.clone(),
        _ => "path".to_owned(),
    };
    let reason = fault.body_text();
    Refusal::BadField { field, reason }
}

/// The body of a request, if it is of this type and comes in time.
async fn body(request: Request, app: &App, wanted: &str) -> Result<Bytes, Refusal> {
    let given = request.headers().get(CONTENT_TYPE);
    let given = given.and_then(|given| given.to_str().ok()?.split(';').next());
    if !given.is_some_and(|given| given.trim().eq_ignore_ascii_case(wanted)) {
        return Err(Refusal::WrongType);
    }
    let patience = app.config().limits.body_time;
    let bytes = timeout(patience, Bytes::from_request(request, app)).await;
    bytes.map_err(|_| Refusal::TooSlow)?.map_err(|fault| {
        let reason = fault.body_text();
        match fault.into_response().status().as_u16() {
            413 => Refusal::TooLarge,
            _ => Refusal::Malformed(reason),
        }
    })
}

/// The bytes of a form.
pub(crate) async fn form_bytes(request: Request, app: &App) -> Result<Bytes, Refusal> {
    body(request, app, "application/x-www-form-urlencoded").await
}

/// A JSON body.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let Json(text) = Json::from_request(request, app).await?;
        Ok(Self(convoy_protocol::read_json(&text)?))
    }
}

/// A JSON body that is read later, as text.
#[derive(Debug)]
pub(crate) struct Json(pub(crate) String);

impl FromRequest<App> for Json {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let bytes = body(request, app, "application/json").await?;
        let text = String::from_utf8(bytes.into());
        text.map(Self).map_err(|_| Error::not_utf8().into())
    }
}

/// Whether an address is one that people open.
fn is_page(path: &str) -> bool {
    !path.starts_with("/api/") && !path.starts_with("/ws/")
}

/// Refuses fields of a query or a form that are neither `T`'s nor among `also`. Where `T` takes whatever comes, it judges
/// them by itself.
pub(crate) fn check_names<T: DeserializeOwned>(bytes: &[u8], also: &[&str]) -> Result<(), Refusal> {
    let Err(FieldNames(Some(known))) = T::deserialize(FieldNames(None)) else {
        return Ok(());
    };
    for (name, _) in form_urlencoded::parse(bytes) {
        if !known.contains(&&*name) && !also.contains(&&*name) {
            return Err(Error::unknown_field(&name, known).into());
        }
    }
    Ok(())
}

/// Tells the names of the fields of a type by failing to read it.
#[derive(Debug)]
struct FieldNames(Option<&'static [&'static str]>);

impl fmt::Display for FieldNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields {:?}", self.0)
    }
}

impl std::error::Error for FieldNames {}

impl de::Error for FieldNames {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self(None)
    }
}

impl<'de> Deserializer<'de> for FieldNames {
    type Error = Self;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self> {
        Err(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self> {
        Err(Self(Some(fields)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

/// Reads the fields of a query or a form.
pub(crate) fn urlencoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let pairs = form_urlencoded::parse(bytes);
    fields(serde_urlencoded::Deserializer::new(pairs))
}

fn fields<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(from).map_err(|fault| {
        let path = fault.path().to_string();
        let reason = fault.into_inner().to_string();
        // A field that is missing stands in no path.
        let missing = reason.strip_prefix("missing field `");
        let missing = missing.and_then(|rest| rest.split('`').next());
        match (missing, &*path) {
            (Some(field), _) => Refusal::BadField {
                field: field.to_owned(),
                reason: "it is missing".to_owned(),
            },
            (None, "." | "?") => Refusal::Malformed(reason),
            (None, _) => Refusal::BadField {
                field: path,
                reason,
            },
        }
    })
}
