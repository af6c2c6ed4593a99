-- Lists and searches of the operator console over all payers, merchants and clients (docs/spec/portal.md, Operator
-- console). Each is read in the order of an index, so that a page doesn't depend on the length of the history. A database
-- that holds many charges gets the indexes before the upgrade (docs/runbooks/rolling-upgrades.md, An index on a large
-- table).

-- Without a state, the list merges the newest rows of each state. So one index serves both.
CREATE INDEX IF NOT EXISTS charge_state_created_at_id_idx ON charge (state, created_at, id);
CREATE INDEX IF NOT EXISTS charge_reference ON charge (reference, created_at, id) WHERE reference IS NOT NULL;

-- The processor's deadline for evidence; null if it names none.
ALTER TABLE dispute ADD COLUMN evidence_due_at timestamptz(3);
CREATE INDEX IF NOT EXISTS dispute_status ON dispute (status, created_at, id);
CREATE INDEX IF NOT EXISTS dispute_reason ON dispute (reason, created_at, id);
CREATE INDEX IF NOT EXISTS dispute_reference ON dispute (dispute_ref);

CREATE INDEX IF NOT EXISTS account_created_at_id_idx ON account (created_at, id);
-- Prefixes are ranges in the order of bytes, whatever the database's collation.
CREATE INDEX IF NOT EXISTS account_email_prefix ON account (lower(email) COLLATE "C");
CREATE INDEX IF NOT EXISTS account_name_prefix ON account (lower(display_name) COLLATE "C", id);
CREATE INDEX IF NOT EXISTS account_deleting ON account (created_at, id)
  WHERE deletion_requested_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS account_deleted ON account (created_at, id) WHERE deleted_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS client_kind_created_at_id_idx ON client (kind, created_at, id);
CREATE INDEX IF NOT EXISTS client_name_prefix ON client (lower(name) COLLATE "C", id);
CREATE INDEX IF NOT EXISTS client_deleted ON client (created_at, id) WHERE deleted_at IS NOT NULL;
-- What a client holds now, however much it held before.
CREATE INDEX IF NOT EXISTS grant_live ON "grant" (client_id) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS mandate_live ON mandate (client_id) WHERE state IN ('active', 'suspended');

-- The deliveries about one charge, refund or dispute.
CREATE INDEX IF NOT EXISTS webhook_delivery_object_id_idx ON webhook_delivery (object_id);

-- The changes of one client. Its tokens are entries about it too, and there may be millions of them.
CREATE INDEX IF NOT EXISTS audit_entry_client ON audit_entry (subject_id, at, seq)
  WHERE action IN ('client.registered', 'client.updated', 'client.deleted');
