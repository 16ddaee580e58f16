//! What people do at a page: the mouse, the fingers and the keys.

use std::time::Instant;

use serde_json::json;

use super::cdp::Page;
use super::line::HANG;

impl Page {
    /// The middle of the first element that a selector finds, scrolled into view: as soon as it is
    /// there, enabled, at rest, and nothing lies over it. ` >>> ` leads into a shadow root.
    async fn middle(&self, selector: &str) -> (f64, f64) {
        let place = self
            .wait_for(&format!(
                "(() => {{
                   const e = {}.split(' >>> ').reduce((at, selector) => (at?.shadowRoot ?? at)?.querySelector(selector), document);
                   if (!e || e.disabled) return null;
                   e.scrollIntoView({{block: 'nearest'}});
                   const b = e.getBoundingClientRect();
                   const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
                   const was = window.convoyPlace;
                   window.convoyPlace = [e, x, y];
                   const top = e.getRootNode().elementFromPoint(x, y);
                   const hit = top && (e.contains(top) || top.contains(e) || top.closest('label')?.contains(e));
                   return b.width && hit && was && was[0] === e && was[1] === x && was[2] === y ? [x, y] : null;
                 }})()",
                json!(selector)
            ))
            .await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Clicks with the mouse.
    pub(crate) async fn click(&self, selector: &str) {
        let (x, y) = self.middle(selector).await;
        self.click_at(x, y).await;
    }

    /// Clicks with the mouse at a place.
    pub(crate) async fn click_at(&self, x: f64, y: f64) {
        let kinds = ["mouseMoved", "mousePressed", "mouseReleased"];
        let event =
            |kind| json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        let events = kinds.map(event).to_vec();
        self.at_once("Input.dispatchMouseEvent", events).await;
    }

    /// Moves the mouse over an element.
    pub(crate) async fn hover(&self, selector: &str) {
        let (x, y) = self.middle(selector).await;
        let over = json!({ "type": "mouseMoved", "x": x, "y": y });
        self.call("Input.dispatchMouseEvent", over).await;
    }

    /// Drags with the mouse.
    pub(crate) async fn drag(&self, from: &str, to: &str) {
        self.drag_with("left", from, to).await;
    }

    /// Drags with a button of the mouse.
    pub(crate) async fn drag_with(&self, button: &str, from: &str, to: &str) {
        let buttons = if button == "right" { 2 } else { 1 };
        let (a, b) = self.both_ends(from, to, true).await;
        let send = async |kind: &str, (x, y): (f64, f64)| {
            let params = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params).await;
        };
        send("mousePressed", a).await;
        send("mouseMoved", ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)).await;
        // What the page shows on the way may move the target: the mouse follows it, as a hand does.
        let mut over = b;
        loop {
            send("mouseMoved", over).await;
            let now = self.place(to).await;
            if now == over {
                break;
            }
            over = now;
        }
        send("mouseReleased", over).await;
    }

    /// The middle of an element, wherever it is now and whatever lies over it.
    async fn place(&self, selector: &str) -> (f64, f64) {
        let place = self
            .eval(&format!(
                "(b => [b.x + b.width / 2, b.y + b.height / 2])({}.split(' >>> ').reduce((at, selector) => (at?.shadowRoot ?? at)?.querySelector(selector), document).getBoundingClientRect())",
                json!(selector)
            ))
            .await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// The middles of two elements, a mouse over the first. Bringing the second into view may have moved the first,
    /// and so may what a page shows under the mouse: both are looked at again until neither has moved.
    async fn both_ends(&self, from: &str, to: &str, mouse: bool) -> ((f64, f64), (f64, f64)) {
        let deadline = Instant::now() + HANG;
        loop {
            let (a, b) = (self.middle(from).await, self.middle(to).await);
            if mouse {
                let over = json!({ "type": "mouseMoved", "x": a.0, "y": a.1 });
                self.call("Input.dispatchMouseEvent", over).await;
            }
            if (self.middle(from).await, self.middle(to).await) == (a, b) {
                return (a, b);
            }
            let never = Instant::now() > deadline;
            assert!(!never, "{from} and {to} are never at rest together");
        }
    }

    /// Drags with a finger.
    pub(crate) async fn touch_drag(&self, from: &str, to: &str) {
        let (a, b) = self.both_ends(from, to, false).await;
        let half = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let steps = [("touchStart", a), ("touchMove", half), ("touchMove", b)];
        for (kind, (x, y)) in steps {
            let params = json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] });
            self.call("Input.dispatchTouchEvent", params).await;
        }
        let up = json!({ "type": "touchEnd", "touchPoints": [] });
        self.call("Input.dispatchTouchEvent", up).await;
    }

    /// Taps with a finger.
    pub(crate) async fn tap(&self, selector: &str) {
        let (x, y) = self.middle(selector).await;
        self.tap_at(x, y).await;
    }

    /// Taps with a finger at a place. Both ends go out together: a pause would be a long press.
    pub(crate) async fn tap_at(&self, x: f64, y: f64) {
        let down = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        let up = json!({ "type": "touchEnd", "touchPoints": [] });
        self.at_once("Input.dispatchTouchEvent", vec![down, up])
            .await;
    }

    /// Holds a finger on something until an expression holds.
    pub(crate) async fn hold(&self, selector: &str, expression: &str) {
        let (x, y) = self.middle(selector).await;
        let down = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        self.call("Input.dispatchTouchEvent", down).await;
        self.until(expression).await;
        let up = json!({ "type": "touchEnd", "touchPoints": [] });
        self.call("Input.dispatchTouchEvent", up).await;
    }

    /// Presses a key by its name, such as `Enter`, `ArrowUp`, `d`.
    pub(crate) async fn press(&self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Backspace" => (8, ""),
            "Tab" => (9, ""),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            other => (u32::from(other.to_ascii_uppercase().as_bytes()[0]), other),
        };
        let params =
            json!({ "type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", params).await;
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        )
        .await;
    }

    /// Types text where the focus is.
    pub(crate) async fn write(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text })).await;
    }
}
