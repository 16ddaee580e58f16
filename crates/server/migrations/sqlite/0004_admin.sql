-- What operators have done, and who may not log in.

CREATE TABLE ban (
    player TEXT PRIMARY KEY,
    at BIGINT NOT NULL);

-- A command is written here by `convoy admin`, carried out by the server, and kept.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    operator TEXT NOT NULL,
    command TEXT NOT NULL,
    outcome TEXT,
    done BIGINT NOT NULL);

CREATE INDEX audit_by_time ON audit (at, id);
