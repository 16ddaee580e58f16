//! The sockets: small buffers, bounded frames, no floods, no foreign pages.

mod heartbeat;
mod lobby;
mod table;

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::app::App;
use crate::header;
use crate::protocol::LONGEST_FRAME;
use crate::quota::Permit;
use crate::refusal::Refusal;
use crate::session::{self, SessionSocket, Visitor};
use crate::throttle::{Bucket, Rate};

pub(crate) use heartbeat::Heartbeat;
pub(crate) use lobby::lobby;
pub(crate) use table::table;

/// How many frames may wait for one socket; a client that is further behind starts again.
pub(crate) const QUEUE: usize = 32;
/// A frame that cannot be sent for so long means that nobody is there.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// How long a client has to answer a close.
const GOODBYE: Duration = Duration::from_secs(1);
/// How often a client is asked whether it is there, how often where its lag counts, and how long it may stay
/// silent.
const PING: Duration = Duration::from_secs(5);
const LAG_PING: Duration = Duration::from_secs(2);
const SILENCE: Duration = Duration::from_secs(15);

const NOT_TEXT: u16 = 1003;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;
const RESTART: u16 = 1012;
const AGAIN: u16 = 1013;
/// The first number that is left to applications, with the status of HTTP for who is unknown.
const SESSION_ENDED: u16 = 4401;

/// An upgrade that comes from a page of ours, or from no page.
#[derive(Debug)]
pub(crate) struct Upgrade {
    handshake: WebSocketUpgrade,
    /// What the socket counts for among those of its session and its address.
    permits: Vec<Permit>,
    visitor: Visitor,
}

impl FromRequestParts<App> for Upgrade {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        if !header::is_own_origin(&parts.headers) {
            return Err(Refusal::ForeignOrigin.into_response());
        }
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        let upgrade = upgrade.map_err(|_| {
            Refusal::Malformed("this address takes a WebSocket".to_owned()).into_response()
        })?;
        let visitor = Visitor::from_request_parts(parts, app).await;
        let visitor = visitor.map_err(Refusal::into_response)?;
        let permits = app.admit_socket(&visitor);
        Ok(Self {
            handshake: upgrade
                .read_buffer_size(4096)
                .write_buffer_size(0)
                .max_write_buffer_size(1 << 20)
                .max_frame_size(LONGEST_FRAME)
                .max_message_size(LONGEST_FRAME),
            permits: permits.map_err(Refusal::into_response)?,
            visitor,
        })
    }
}

impl Upgrade {
    /// Answers the upgrade and lets `serve` have the socket.
    pub(crate) fn serve<F>(
        self,
        app: &App,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (app, permits, visitor) = (app.clone(), self.permits, self.visitor);
        self.handshake.on_upgrade(async move |stream| {
            app.metrics().sockets.inc();
            let closing = app.closing();
            let rate = app.config().rates.frames;
            let session = app.sockets().join(&visitor.session());
            let mut socket = Socket {
                stream,
                bucket: Bucket::full(rate),
                rate,
                last_received: Instant::now(),
                ping: pings(PING),
                heartbeat: Heartbeat::default(),
                closing,
                session,
                app: app.clone(),
            };
            // The session may have ended before its socket was known.
            if session::is_live(&app, &visitor).await {
                serve(socket).await;
            } else {
                socket.close(SESSION_ENDED, "the session has ended").await;
            }
            app.metrics().sockets.dec();
            drop(permits);
        })
    }
}

/// The moments at which a client is asked whether it is there.
fn pings(every: Duration) -> tokio::time::Interval {
    let mut pings = interval(every);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pings
}

/// One socket and what guards it.
pub(crate) struct Socket {
    stream: WebSocket,
    bucket: Bucket,
    rate: Rate,
    last_received: Instant,
    ping: tokio::time::Interval,
    heartbeat: Heartbeat,
    closing: tokio::sync::watch::Receiver<bool>,
    session: SessionSocket,
    app: App,
}

/// What a socket brings next.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A frame of text.
    Text(Utf8Bytes),
    /// Nothing that matters.
    Nothing,
    /// The end.
    End,
}

impl Socket {
    /// Waits for what the client sends, and keeps the connection alive. Dropping the future loses
    /// no frame.
    pub(crate) async fn receive(&mut self) -> Incoming {
        enum Next {
            Message(Option<Result<Message, axum::Error>>),
            Tick,
            Closing,
            Ended,
        }
        let next = tokio::select! {
            // Frames of a session that has ended are not read.
            biased;
            () = self.session.ended() => Next::Ended,
            message = self.stream.recv() => Next::Message(message),
            _ = self.ping.tick() => Next::Tick,
            _ = self.closing.wait_for(|closing| *closing) => Next::Closing,
        };
        match next {
            Next::Message(message) => self.on_message(message).await,
            Next::Tick if self.last_received.elapsed() > SILENCE => Incoming::End,
            Next::Tick => {
                let data = self.heartbeat.ask(Instant::now());
                self.write(Message::Ping(data.to_vec().into())).await
            }
            Next::Ended => {
                self.close(SESSION_ENDED, "the session has ended").await;
                Incoming::End
            }
            Next::Closing => {
                let bye = Utf8Bytes::from_static("{\"t\":\"bye\",\"d\":{\"code\":\"restart\"}}");
                self.write(Message::Text(bye)).await;
                self.close(RESTART, "the server restarts").await;
                Incoming::End
            }
        }
    }

    async fn on_message(&mut self, message: Option<Result<Message, axum::Error>>) -> Incoming {
        self.last_received = Instant::now();
        match message {
            Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                self.app.metrics().frames_in.inc();
                if !self.bucket.take(self.rate) {
                    self.close(POLICY, "too many frames").await;
                    return Incoming::End;
                }
                if let Message::Text(text) = message {
                    return Incoming::Text(text);
                }
                self.close(NOT_TEXT, "frames are text").await;
                Incoming::End
            }
            Some(Ok(message @ (Message::Ping(_) | Message::Pong(_)))) => {
                if let Message::Pong(data) = message {
                    self.heartbeat.answered(&data, self.last_received);
                }
                // Pings are answered by the library; a flood of them is a flood all the same.
                if self.bucket.take(self.rate) {
                    Incoming::Nothing
                } else {
                    self.close(POLICY, "too many frames").await;
                    Incoming::End
                }
            }
            Some(Err(error)) => {
                if error.to_string().contains("too long") || error.to_string().contains("too large")
                {
                    self.close(TOO_BIG, "too-long").await;
                }
                Incoming::End
            }
            Some(Ok(Message::Close(_))) | None => Incoming::End,
        }
    }

    /// Measures the client's lag from now on.
    pub(crate) fn measure_lag(&mut self) -> Heartbeat {
        if self.ping.period() != LAG_PING {
            self.ping = pings(LAG_PING);
        }
        self.heartbeat.clone()
    }

    /// Sends one frame; `End` if nobody takes it.
    pub(crate) async fn send(&mut self, text: Utf8Bytes) -> Incoming {
        self.app.metrics().frames_out.inc();
        self.write(Message::Text(text)).await
    }

    async fn write(&mut self, message: Message) -> Incoming {
        match timeout(SEND_LIMIT, self.stream.send(message)).await {
            Ok(Ok(())) => Incoming::Nothing,
            _ => Incoming::End,
        }
    }

    /// Ends the connection because the client has fallen behind.
    pub(crate) async fn close_try_again(&mut self) {
        self.close(AGAIN, "come again").await;
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame {
            code,
            reason: Utf8Bytes::from_static(reason),
        };
        self.write(Message::Close(Some(frame))).await;
        // What is on its way is still read: dropped with unread data, the connection is reset, and the reason is lost.
        let rest = async { while let Some(Ok(_)) = self.stream.recv().await {} };
        let _ = timeout(GOODBYE, rest).await;
    }
}
