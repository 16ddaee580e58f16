-- Attempts of accounts at puzzles, and the ratings that follow from them.

CREATE TABLE attempt (
    player TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    puzzle TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    PRIMARY KEY (player, game, puzzle));

CREATE INDEX attempt_by_time ON attempt (player, game, at);

-- Of a player or of a puzzle: rating and deviation in thousandths, volatility in millionths.
CREATE TABLE rating (
    game TEXT COLLATE "C" NOT NULL,
    holder TEXT COLLATE "C" NOT NULL,
    rating BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (game, holder));
