-- What operators have done, and who may not log in.

CREATE TABLE ban (
    player TEXT COLLATE "C" PRIMARY KEY,
    at BIGINT NOT NULL);

-- A command is written here by `convoy admin`, carried out by the server, and kept.
CREATE TABLE audit (
    id TEXT COLLATE "C" PRIMARY KEY,
    at BIGINT NOT NULL,
    operator TEXT COLLATE "C" NOT NULL,
    command TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C",
    done BIGINT NOT NULL);

CREATE INDEX audit_by_time ON audit (at, id);
