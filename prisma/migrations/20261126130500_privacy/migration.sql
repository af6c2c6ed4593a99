-- Kinds of e-mail that an account switched off (docs/spec/portal.md, Notifications).
CREATE TABLE notification_choice (
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  kind text NOT NULL,
  PRIMARY KEY (account_id, kind)
);

-- A copy of everything that is stored about an account (docs/spec/portal.md, Privacy). A worker fills in the content:
-- gzip, encrypted with the master key.
CREATE TABLE data_export (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  requested_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  ready_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  content bytea,
  CONSTRAINT data_export_ready CHECK ((ready_at IS NULL) = (content IS NULL))
);
CREATE INDEX data_export_account_id_requested_at_idx ON data_export (account_id, requested_at);
CREATE INDEX data_export_expires_at_idx ON data_export (expires_at);
CREATE UNIQUE INDEX data_export_one_open ON data_export (account_id) WHERE ready_at IS NULL;
CREATE INDEX data_export_open ON data_export (requested_at) WHERE ready_at IS NULL;

ALTER TABLE account ADD COLUMN deletion_requested_at timestamptz(3), ADD COLUMN deleted_at timestamptz(3);
CREATE INDEX account_deletion_due ON account (deletion_requested_at)
  WHERE deletion_requested_at IS NOT NULL AND deleted_at IS NULL;
