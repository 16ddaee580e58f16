-- The schema from before migrations were numbered. A file that has these tables is adopted as it is.

CREATE TABLE IF NOT EXISTS event (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (table_id, seq));

CREATE TABLE IF NOT EXISTS summary (
    table_id TEXT PRIMARY KEY,
    phase TEXT NOT NULL,
    listed BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    summary TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS seat (
    table_id TEXT NOT NULL,
    seat BIGINT NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (table_id, seat));

CREATE TABLE IF NOT EXISTS account (
    player TEXT PRIMARY KEY,
    folded TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS session (
    token TEXT PRIMARY KEY,
    guest TEXT NOT NULL,
    account TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL);

CREATE INDEX IF NOT EXISTS summary_by_phase ON summary (phase, listed, changed);

CREATE INDEX IF NOT EXISTS seat_by_player ON seat (player);
