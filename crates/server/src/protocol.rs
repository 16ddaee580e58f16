//! The frames of a socket: JSON text, `{t, seq, d}`.

use std::borrow::Cow;

use axum::extract::ws::Utf8Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::asset::hex;
use crate::fields::Fields;
use crate::game::Action;
use crate::id::PlayerId;
use crate::refusal::Refusal;

/// The longest frame that is read.
pub(crate) const LONGEST_FRAME: usize = 16 * 1024;

/// What a client sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FromClient {
    /// The kind.
    t: String,
    /// The last event that the client had seen.
    pub(crate) seq: Option<u64>,
    /// A name that the answer repeats.
    #[serde(default)]
    pub(crate) id: Value,
    #[serde(default, deserialize_with = "convoy_protocol::distinct")]
    d: Value,
}

impl FromClient {
    /// Reads one frame.
    pub(crate) fn read(text: &str) -> Result<Self, Refusal> {
        let frame: Self = convoy_protocol::read_json(text)?;
        let short = match &frame.id {
            Value::Null | Value::Number(_) => true,
            Value::String(id) => id.len() <= 64,
            _ => false,
        };
        if !short {
            return Err(Refusal::Malformed("the id is no short text".to_owned()));
        }
        Ok(frame)
    }

    pub(crate) fn kind(&self) -> &str {
        &self.t
    }

    pub(crate) fn data(&self) -> &Value {
        &self.d
    }

    /// What tells that an action comes for a second time: a digest of the whole frame and its sender.
    /// A frame without a name of its own is a new one each time.
    pub(crate) fn action_id(&self, sender: &PlayerId) -> Option<String> {
        let parts = (sender, &self.t, self.seq, &self.id, &self.d);
        let text = (!self.id.is_null()).then(|| json!(parts).to_string());
        text.map(|text| hex(&Sha256::digest(text)[..8]))
    }

    /// What it asks of the table.
    pub(crate) fn into_action(self) -> Action {
        Action {
            t: self.t,
            d: self.d,
        }
    }
}

/// A frame without a number.
pub(crate) fn plain(t: &str, d: &Value) -> Utf8Bytes {
    json!({ "t": t, "d": d }).to_string().into()
}

/// A refusal, for its sender alone.
pub(crate) fn refused(re: &Value, refusal: &Refusal) -> Utf8Bytes {
    let mut d = refusal.json();
    d["re"] = re.clone();
    plain("refused", &d)
}

/// One event as one viewer is told of it.
pub(crate) fn event(
    seq: u64,
    kind: &str,
    by: Option<u8>,
    set: &Fields,
    log: &LogChange<'_>,
) -> Utf8Bytes {
    let by = by.map_or_else(|| "null".to_owned(), |by| by.to_string());
    let set = set.json();
    let log = match log {
        LogChange::None => String::new(),
        LogChange::Cut(length) => format!(",\"turns\":{length}"),
        // The entry is JSON already.
        LogChange::Grown(entry) => format!(",\"turn\":{entry}"),
    };
    let d = format!("{{\"kind\":\"{kind}\",\"by\":{by},\"set\":{set}{log}}}");
    numbered("event", seq, &d)
}

/// A frame whose data are JSON already.
fn numbered(t: &str, seq: u64, d: &str) -> Utf8Bytes {
    format!("{{\"t\":\"{t}\",\"seq\":{seq},\"d\":{d}}}").into()
}

/// How an event changed the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LogChange<'a> {
    /// Not at all.
    None,
    /// By one entry more.
    Grown(Cow<'a, str>),
    /// Back to so many entries.
    Cut(usize),
}

/// A full view: the fields of the state, and the log.
pub(crate) fn view(state: &Fields, log: &[String]) -> String {
    let head = state.json();
    let head = head.strip_suffix('}').unwrap_or(&head);
    let comma = if state.is_empty() { "" } else { "," };
    format!("{head}{comma}\"turns\":[{}]}}", log.join(","))
}

/// What has changed without an event, or what somebody needs who has missed none.
pub(crate) fn resumed(seq: u64, fields: &Fields) -> Utf8Bytes {
    numbered("resumed", seq, &fields.json())
}

/// A view as a frame.
pub(crate) fn view_frame(seq: u64, view: &str) -> Utf8Bytes {
    numbered("view", seq, view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_an_object_of_known_fields() {
        let frame = FromClient::read(r#"{"t":"move","seq":3,"id":"c1","d":{"move":"x"}}"#).unwrap();
        assert_eq!((frame.kind(), frame.seq), ("move", Some(3)));
        for (bad, code) in [
            ("", "malformed"),
            ("[]", "malformed"),
            ("{}", "malformed"),
            (r#"{"t":1}"#, "malformed"),
            (r#"{"t":"x","seq":-1}"#, "malformed"),
            (r#"{"t":"x","id":{}}"#, "malformed"),
            (r#"{"t":"x","z":1}"#, "unknown-field"),
            (r#"{"t":"x","d":{"a":[{"b":1,"b":2}]}}"#, "malformed"),
        ] {
            assert_eq!(FromClient::read(bad).unwrap_err().code(), code, "{bad}");
        }
    }

    #[test]
    fn spliced_frames_are_sound_json() {
        let mut state = Fields::default();
        state.set("a", "}\"");
        let log = ["{\"san\":\"x\"}".to_owned(), "{}".to_owned()];
        let view: Value = serde_json::from_str(&view(&state, &log)).unwrap();
        assert_eq!(view, json!({"a": "}\"", "turns": [{"san": "x"}, {}]}));
        let frame = event(
            4,
            "moved",
            Some(1),
            &state,
            &LogChange::Grown((&log[0]).into()),
        );
        let frame: Value = serde_json::from_str(&frame).unwrap();
        assert_eq!(frame["d"]["turn"]["san"], "x");
        assert_eq!(frame["d"]["set"]["a"], "}\"");
        let cut = event(5, "tookback", None, &Fields::default(), &LogChange::Cut(2));
        let cut: Value = serde_json::from_str(&cut).unwrap();
        assert_eq!((&cut["seq"], &cut["d"]["turns"]), (&json!(5), &json!(2)));
    }
}
