-- Attempts of accounts at puzzles, and the ratings that follow from them.

CREATE TABLE attempt (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    at BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    PRIMARY KEY (player, game, puzzle));

CREATE INDEX attempt_by_time ON attempt (player, game, at);

-- Of a player or of a puzzle: rating and deviation in thousandths, volatility in millionths.
CREATE TABLE rating (
    game TEXT NOT NULL,
    holder TEXT NOT NULL,
    rating BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    volatility BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    PRIMARY KEY (game, holder));
