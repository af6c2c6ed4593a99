-- The audit log. Entries are numbered by a sequence; a job links blocks of them by hash.

CREATE SEQUENCE audit_entry_seq AS bigint CACHE 1;

CREATE TABLE audit_entry (
  seq bigint NOT NULL DEFAULT nextval('audit_entry_seq'),
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  action text NOT NULL,
  subject_id text NOT NULL,
  request_id text NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (seq, at)
) PARTITION BY RANGE (at);
ALTER SEQUENCE audit_entry_seq OWNED BY audit_entry.seq;
CREATE TABLE audit_entry_default PARTITION OF audit_entry DEFAULT;
SELECT ensure_partitions('audit_entry', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX audit_entry_subject ON audit_entry (subject_id, at);
CREATE INDEX audit_entry_actor ON audit_entry (actor_id, at);
CREATE INDEX audit_entry_at ON audit_entry (at, seq);
-- A search by a rare action needs an index. The three frequent actions occur in any stretch of the log, and an index of
-- them would cost each request a write.
CREATE INDEX audit_entry_rare_action ON audit_entry (action, at, seq)
  WHERE action NOT IN ('token.issued', 'authorization_request.pushed', 'client.authentication_refused');
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_keep BEFORE TRUNCATE ON audit_entry EXECUTE FUNCTION refuse_change();

-- Partitioned by the time at which a block was made. It never decreases within a shard, so the oldest blocks are
-- dropped first.
CREATE TABLE audit_block (
  shard smallint NOT NULL,
  number bigint NOT NULL,
  made_at timestamptz(3) NOT NULL,
  month text NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  entries integer NOT NULL,
  content text NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  marks bytea NOT NULL,
  PRIMARY KEY (shard, number, made_at)
) PARTITION BY RANGE (made_at);
CREATE TABLE audit_block_default PARTITION OF audit_block DEFAULT;
SELECT ensure_partitions('audit_block', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE TRIGGER audit_block_append_only BEFORE UPDATE OR DELETE ON audit_block
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_block_keep BEFORE TRUNCATE ON audit_block EXECUTE FUNCTION refuse_change();

-- The end of each shard's chain, and its base: the last block that was dropped.
CREATE TABLE audit_chain (
  shard smallint PRIMARY KEY,
  number bigint NOT NULL DEFAULT 0,
  hash text NOT NULL DEFAULT '',
  to_seq bigint NOT NULL DEFAULT 0,
  made_at timestamptz(3),
  base_number bigint NOT NULL DEFAULT 0,
  base_hash text NOT NULL DEFAULT '',
  base_to_seq bigint NOT NULL DEFAULT 0,
  base_made_at timestamptz(3)
);
INSERT INTO audit_chain (shard) VALUES (0), (1), (2), (3);
