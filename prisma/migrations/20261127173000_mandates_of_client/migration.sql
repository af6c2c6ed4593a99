-- The mandates of a client, newest first. It also serves the conditions of the index that it replaces.
CREATE INDEX IF NOT EXISTS mandate_client_id_created_at_id_idx ON mandate (client_id, created_at, id);
DROP INDEX mandate_client_id_idx;
