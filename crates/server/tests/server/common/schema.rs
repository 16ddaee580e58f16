//! Bodies against the description of the calls: what travels is described to its last field.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// The description that the server gives of itself.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(convoy_server::openapi()).unwrap());

/// What a reference leads to.
pub(crate) fn resolve(reference: &str) -> &'static Value {
    let place = reference.strip_prefix('#');
    let found = place.and_then(|place| DOCUMENT.pointer(place));
    found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn follow(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(reference) => resolve(reference),
        None => value,
    }
}

/// The description of a call, such as `post /api/v1/tables`.
pub(crate) fn call(method: &str, path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |known: &&String| {
        let known: Vec<&str> = known.split('/').collect();
        known.len() == parts.len()
            && known
                .iter()
                .zip(&parts)
                .all(|(a, b)| a == b || a.starts_with('{'))
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fitting = paths.keys().filter(fits);
    let exact = fitting.min_by_key(|known| known.matches('{').count())?;
    paths[exact].get(method)
}

fn schema_of(content: &'static Value) -> Option<&'static Value> {
    follow(content).pointer("/content/application~1json/schema")
}

/// What is wrong with a JSON answer of a call.
pub(crate) fn check_answer(
    method: &str,
    path: &str,
    status: u16,
    text: &str,
) -> Result<(), String> {
    let Ok(body) = serde_json::from_str(text) else {
        return Ok(());
    };
    let described = call(method, path).map(|call| &call["responses"]);
    let answer = match described.and_then(|answers| answers.get(status.to_string())) {
        Some(answer) => schema_of(answer),
        None if status >= 400 => Some(resolve("#/components/schemas/Error")),
        None => None,
    };
    let schema = answer.ok_or_else(|| format!("the answer {status} is not described"))?;
    check(schema, &body, "")
}

/// What is wrong with the JSON body of a request.
pub(crate) fn check_request(method: &str, path: &str, body: &Value) -> Result<(), String> {
    let Some(described) = call(method, path).and_then(|call| call.get("requestBody")) else {
        return Ok(());
    };
    let schema = schema_of(described).ok_or("the body is not described")?;
    check(schema, body, "")
}

/// What in a value a schema does not describe. More than JSON Schema asks: a field that is nowhere named is a fault.
pub(crate) fn check(schema: &'static Value, value: &Value, at: &str) -> Result<(), String> {
    let named = evaluate(schema, value, at)?;
    let fields = value.as_object().into_iter().flat_map(Map::keys);
    match fields.into_iter().find(|field| !named.contains(*field)) {
        Some(field) => Err(format!("{at}/{field} is not described")),
        None => Ok(()),
    }
}

/// Checks a value, and answers which of its fields the schema names.
fn evaluate(schema: &'static Value, value: &Value, at: &str) -> Result<BTreeSet<String>, String> {
    let mut named = BTreeSet::new();
    let wrong = |what: &str| Err(format!("{at}: {value} is not {what} of {schema}"));
    if let Some(reference) = schema["$ref"].as_str() {
        named.extend(evaluate(resolve(reference), value, at)?);
    }
    if !is_of_type(&schema["type"], value) {
        return wrong("of the type");
    }
    let among = schema["enum"].as_array();
    if among.is_some_and(|among| !among.contains(value)) {
        return wrong("one");
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("the constant");
    }
    if let Some(number) = value.as_f64() {
        let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
        if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
            return wrong("within the bounds");
        }
    }
    if let Some(list) = value.as_array() {
        check_items(schema, list, at)?;
    }
    if let Some(fields) = value.as_object() {
        named.extend(check_fields(schema, fields, at)?);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        named.extend(evaluate(part, value, at)?);
    }
    for choice in ["anyOf", "oneOf"] {
        let Some(parts) = schema[choice].as_array() else {
            continue;
        };
        let tried = parts.iter().map(|part| evaluate(part, value, at));
        let (fitting, others): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
        if fitting.is_empty() {
            let others = others.into_iter().filter_map(Result::err);
            return Err(others.collect::<Vec<_>>().join("; or "));
        }
        named.extend(fitting.into_iter().flatten().flatten());
    }
    Ok(named)
}

fn is_of_type(wanted: &Value, value: &Value) -> bool {
    let is = |word: &Value| match word.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        // To JSON Schema 2.0 is an integer.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type is called {other}"),
    };
    match wanted {
        Value::Null => true,
        Value::Array(words) => words.iter().any(is),
        word => is(word),
    }
}

fn check_items(schema: &'static Value, list: &[Value], at: &str) -> Result<(), String> {
    let length = list.len() as u64;
    let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
    if length < schema["minItems"].as_u64().unwrap_or(0) || length > most {
        return Err(format!("{at}: a list of {length}"));
    }
    let first = schema["prefixItems"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    for (place, item) in list.iter().enumerate() {
        let of = first.get(place).or_else(|| schema.get("items"));
        if let Some(of) = of {
            check(of, item, &format!("{at}/{place}"))?;
        }
    }
    Ok(())
}

fn check_fields(
    schema: &'static Value,
    fields: &Map<String, Value>,
    at: &str,
) -> Result<BTreeSet<String>, String> {
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required = required.filter_map(Value::as_str);
    if let Some(missing) = required.find(|field| !fields.contains_key(*field)) {
        return Err(format!("{at} has no {missing}"));
    }
    let mut named = BTreeSet::new();
    for (field, value) in fields {
        let known = schema["properties"].get(field);
        match known.or_else(|| schema.get("additionalProperties")) {
            None => continue,
            Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => return Err(format!("{at} may not have {field}")),
            Some(of) => check(of, value, &format!("{at}/{field}"))?,
        }
        named.insert(field.clone());
    }
    Ok(named)
}
