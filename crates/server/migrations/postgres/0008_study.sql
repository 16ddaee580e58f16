-- What players keep of their studies: stars of lessons, analyses under a link, reviews of finished games.

CREATE TABLE progress (
    player TEXT COLLATE "C" NOT NULL,
    step TEXT COLLATE "C" NOT NULL,
    stars BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, step));

CREATE TABLE analysis (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    pgn TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL);

CREATE INDEX analysis_by_owner ON analysis (owner, changed);

-- Rounds count from 1; a game without rounds has one.
CREATE TABLE review (
    table_id TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    at BIGINT NOT NULL,
    review TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, round));
