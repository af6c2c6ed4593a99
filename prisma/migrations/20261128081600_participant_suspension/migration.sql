-- An operator suspends one entry of the directory, independently of its merchant.
ALTER TABLE participant ADD COLUMN suspended_at timestamptz(3);
