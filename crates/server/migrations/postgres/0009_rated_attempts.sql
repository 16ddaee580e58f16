-- The rating of the player after an attempt, in whole points; 0 where it was not kept.
ALTER TABLE attempt ADD COLUMN rating BIGINT NOT NULL DEFAULT 0;
