-- What is left of a name when all that looks alike is the same: no two accounts can be mistaken for each other.
-- The program fills it in for the accounts that there are; of those that look alike already, all but one keep none.

ALTER TABLE account ADD COLUMN skeleton TEXT COLLATE "C";

CREATE UNIQUE INDEX account_by_skeleton ON account (skeleton);
