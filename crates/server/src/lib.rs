#![doc = include_str!("../README.md")]

mod account;
mod api;
mod app;
mod asset;
mod bot;
mod client;
mod clock;
mod config;
mod cotulenh;
mod draft;
mod draw;
mod extract;
mod form;
mod header;
mod id;
mod language;
mod lobby;
mod login;
mod metric;
mod page;
mod password;
mod pool;
mod protocol;
mod quota;
mod refusal;
mod room;
mod seat;
mod serve;
mod session;
mod socket;
mod store;
mod table;
mod throttle;
mod tractor;
mod transfer;

pub use app::App;
pub use clock::TimeControl;
pub use config::{
    Config, ConfigError, Limits, Log, LogFormat, LogLevel, MetricsAccess, Override, Passwords,
    PublicUrl, Rates, Storage, Thinking,
};
pub use id::{ParseIdError, PlayerId, TableId};
pub use language::{Language, UnknownLanguage};
pub use refusal::{BadChoice, NotNow, Refusal, TooMany, Why};
pub use seat::Occupant;
pub use serve::{raise_file_limit, serve};
pub use store::{
    Account, Append, Durability, Health, Pending, Phase, Retention, Retired, SessionRow,
    SqliteStore, Store, StoreError, Stored, Summary, Unused, back_up, conformance, restore,
};
pub use table::{
    Act, BotJob, Company, Export, Guest, Number, Opening, Reply, Seat, Slice, Step, Stop, Table,
    Wish,
};
pub use throttle::Rate;
pub use tractor::{
    Kept, Outcome, Pace, Promise, ShuffleKey, Verified, VerifyError, commit_hash, verify,
};
