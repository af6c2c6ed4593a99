-- The greatest amounts of one charge that a participant says it accepts.
ALTER TABLE participant ADD COLUMN max_charge_amounts jsonb;
