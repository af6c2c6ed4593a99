-- Operators list the newest mandates of all payers.
CREATE INDEX mandate_created_at_id_idx ON mandate (created_at, id);
