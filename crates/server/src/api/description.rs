//! `/openapi.json`: the calls as `openapi.json` lists them, the questions about the rules as their types tell them.

use std::sync::LazyLock;

use convoy_protocol::Description;
use serde_json::{Map, Value, json};

use crate::game::{HostedGame, hosted_games};

/// Where schemas stand in the document.
const SCHEMAS: &str = "/components/schemas";

/// `GET /openapi.json`
pub(crate) async fn description() -> ([(&'static str, &'static str); 2], &'static str) {
    let headers = [
        ("content-type", "application/json"),
        ("cache-control", "public, max-age=3600"),
    ];
    (headers, openapi())
}

/// The OpenAPI document that describes every call below `/api/v1`.
///
/// ```
/// let document: serde_json::Value = serde_json::from_str(convoy_server::openapi())?;
/// assert_eq!(document["openapi"], "3.1.0");
/// # Ok::<_, serde_json::Error>(())
/// ```
pub fn openapi() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| document().to_string());
    &DOCUMENT
}

fn document() -> Value {
    let mut document: Value = serde_json::from_str(include_str!("../../openapi.json"))
        .expect("a test reads the description");
    let (mut requests, mut answers) = (Vec::new(), Vec::new());
    let mut schemas = convoy_protocol::error_schemas(SCHEMAS);
    let mut paths = Map::new();
    for game in hosted_games() {
        schemas.extend((game.schemas)(SCHEMAS));
        for op in game.ops {
            let [request, answer] = ["Request", "Answer"].map(|end| schema(op, end));
            let path = format!("/api/v1/{}/{}", op.game, op.name);
            paths.insert(path, question(game, op, &request, &answer));
            requests.push(request);
            answers.push(answer);
        }
    }
    let named = json!({ "required": ["game", "op"] });
    schemas.insert(
        "Question".to_owned(),
        json!({ "allOf": [named, { "anyOf": requests }] }),
    );
    let id = json!({ "properties": { "id": { "description": "That of the question, where it has one" } } });
    schemas.insert(
        "QuestionAnswer".to_owned(),
        json!({ "allOf": [id, { "anyOf": answers }] }),
    );
    add(&mut document, "/paths", paths);
    add(&mut document, SCHEMAS, schemas);
    document
}

fn add(document: &mut Value, place: &str, more: Map<String, Value>) {
    let place = document.pointer_mut(place).and_then(Value::as_object_mut);
    place.expect("the description has such a part").extend(more);
}

/// Where the schema of an op's request or answer stands.
fn schema(op: &Description, end: &str) -> Value {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let name = capital(op.game) + &capital(op.name) + end;
    json!({ "$ref": format!("#{SCHEMAS}/{name}") })
}

/// One question as a call.
fn question(game: &HostedGame, op: &Description, request: &Value, answer: &Value) -> Value {
    json!({ "post": {
        "summary": op.doc(),
        "tags": [game.name],
        "requestBody": { "required": true, "content": { "application/json": { "schema": request } } },
        "responses": {
            "200": { "description": "The answer", "content": { "application/json": { "schema": answer } } },
            "default": { "$ref": "#/components/responses/Refusal" },
        },
    } })
}
