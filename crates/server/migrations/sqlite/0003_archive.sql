-- An archive is read in the order of its games, from an index: what orders it stands beside the seat.

ALTER TABLE seat ADD COLUMN begun BIGINT NOT NULL DEFAULT 0;

ALTER TABLE seat ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;

UPDATE seat SET
    begun = COALESCE((SELECT CASE summary.phase WHEN 'waiting' THEN 0 ELSE 1 END
        FROM summary WHERE summary.table_id = seat.table_id), 0),
    changed = COALESCE((SELECT summary.changed
        FROM summary WHERE summary.table_id = seat.table_id), 0);

CREATE INDEX seat_by_player_and_time ON seat (player, begun, changed DESC, table_id);

DROP INDEX seat_by_player;

-- Games that ended before the first turn are found without reading all the others. (Only SQLite has
-- rows from before this migration, so reading the number from them may be SQLite's own SQL.)

ALTER TABLE summary ADD COLUMN turns BIGINT NOT NULL DEFAULT 1;

UPDATE summary SET turns = COALESCE(CAST(json_extract(summary, '$.turns') AS BIGINT), 1)
    WHERE json_valid(summary);

CREATE INDEX summary_by_turns ON summary (phase, turns, changed);
