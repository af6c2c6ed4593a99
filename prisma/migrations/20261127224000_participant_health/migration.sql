-- Metadata documents of participants with their last snapshots and changes, and the results of their hourly checks.

CREATE TABLE participant_health (
  participant_id text PRIMARY KEY REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  check_due_at timestamptz(3) NOT NULL,
  checked_at timestamptz(3),
  last_success_at timestamptz(3),
  latency_ms integer,
  problem text,
  failed_checks integer NOT NULL DEFAULT 0,
  days jsonb NOT NULL
);

CREATE INDEX participant_health_check_due_at_idx ON participant_health (check_due_at);

CREATE TABLE participant_metadata (
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  uri text NOT NULL,
  document jsonb,
  document_sha256 text,
  jwks jsonb,
  jwks_sha256 text,
  fetched_at timestamptz(3),
  changed_at timestamptz(3),
  PRIMARY KEY (participant_id, uri)
);

CREATE TABLE participant_metadata_change (
  id bigserial PRIMARY KEY,
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  uri text NOT NULL,
  part text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  diff jsonb NOT NULL
);

CREATE INDEX participant_metadata_change_participant_id_id_idx ON participant_metadata_change (participant_id, id);
