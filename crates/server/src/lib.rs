#![doc = include_str!("../README.md")]

mod account;
mod admin;
mod api;
mod app;
mod asset;
mod bot;
mod client;
mod cluster;
mod common_password;
mod config;
mod cotulenh;
mod device_game;
mod engines;
mod extract;
mod fields;
mod form;
mod game;
mod header;
mod id;
mod language;
mod learn;
mod lobby;
mod login;
mod metric;
mod name;
mod nats;
mod page;
mod password;
mod pool;
mod protocol;
mod puzzle;
mod quota;
mod raster;
mod refusal;
mod review;
mod room;
mod seat;
mod serve;
mod session;
mod shared_limit;
mod socket;
mod store;
mod throttle;
mod tls;
mod tractor;
mod transfer;
mod worker;

pub use api::openapi;
pub use app::App;
pub use config::{
    Config, ConfigError, Limits, Log, LogFormat, LogLevel, MetricsAccess, Override, Passwords,
    PublicUrl, Rates, Storage, Thinking, TlsFiles,
};
pub use cotulenh::TimeControl;
pub use fields::Fields;
pub use game::{
    Action, BotJob, BotMoves, Export, Game, GameOptions, NewTable, Number, Player, Presence,
    Progress, Reply, Rules, Seat, Seating, Stop, TableSpec, TimeSlice, Timing, Views,
};
pub use id::{AnalysisId, ParseIdError, PlayerId, TableId};
pub use language::{Language, UnknownLanguage};
pub use nats::{Nats, NatsError, NatsUrl};
pub use refusal::{BadChoice, NotNow, Reason, Refusal, TooMany};
pub use seat::Occupant;
pub use serve::{raise_file_limit, serve, serve_tls};
pub use store::{
    Account, AdminCommand, Append, AuditEntry, Cell, Cells, DatabaseUrl, DumpError, Durability,
    Exported, Health, Pending, Phase, PostgresStore, PuzzleAttempt, PuzzleRating, RatedAttempt,
    Relation, Retention, Retired, SCHEMA, SavedAnalysis, SessionRow, SqliteStore, StepStars, Store,
    StoreError, Stored, StoredReview, Summary, Total, Totals, Unused, back_up, conformance, export,
    import, is_import_unfinished, restore,
};
pub use throttle::Rate;
pub use tls::Tls;
pub use tractor::{
    Outcome, Pace, Promise, Receipt, ShuffleKey, TractorOptions, Verified, VerifyError,
    commit_hash, verify,
};
pub use worker::{WorkerSize, work};
