-- Players that have ended: guests who took an account, accounts that were deleted. Their seats go
-- to the successor; without one, to nobody in particular.
CREATE TABLE retired (
    player TEXT PRIMARY KEY,
    successor TEXT,
    name TEXT,
    at BIGINT NOT NULL);

-- So far the player of an account was the guest who opened it, whose cookie nobody could end. Each
-- account gets a player of its own: sixteen letters, as the program makes them. (Only SQLite has
-- such accounts, so this may be SQLite's own SQL.)
INSERT INTO retired (player, successor, name, at)
WITH letters (all32) AS (VALUES ('0123456789abcdefghjkmnpqrstvwxyz'))
SELECT player,
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1) ||
    substr(all32, 1 + (random() & 31), 1) || substr(all32, 1 + (random() & 31), 1),
    name,
    CAST(strftime('%s', 'now') AS INTEGER) * 1000
FROM account, letters;

-- What somebody played as a guest and went on with while logged in follows the account too.
DELETE FROM session WHERE account NOT IN (SELECT player FROM account);
INSERT INTO retired (player, successor, name, at)
SELECT session.guest, retired.successor, retired.name, retired.at
FROM session JOIN retired ON retired.player = session.account
WHERE session.guest NOT IN (SELECT player FROM retired)
GROUP BY session.guest;

UPDATE account SET player = (SELECT successor FROM retired WHERE retired.player = account.player);
UPDATE session SET account = (SELECT successor FROM retired WHERE retired.player = session.account);

ALTER TABLE session DROP COLUMN guest;
ALTER TABLE session ADD COLUMN created BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '';
UPDATE session SET
    created = CAST(strftime('%s', 'now') AS INTEGER) * 1000,
    seen = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
CREATE INDEX session_by_account ON session (account);
CREATE INDEX session_by_seen ON session (seen);
