-- Outgoing e-mail (docs/spec/operations.md, E-mail): pending, sent, and kept in the outbox. Partitioned by day, for 30
-- days.

CREATE TYPE mail_state AS ENUM ('pending', 'kept', 'sent', 'failed');

CREATE TABLE mail (
  id text NOT NULL,
  kind text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  state mail_state NOT NULL,
  created_at timestamptz(3) NOT NULL,
  obsolete_after timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  ended_at timestamptz(3),
  problem text,
  unsubscribe_url text,
  PRIMARY KEY (id, created_at),
  CONSTRAINT mail_due CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT mail_ended CHECK ((state = 'pending') = (ended_at IS NULL)),
  -- Header values are one line: a line break would add headers.
  CONSTRAINT mail_headers CHECK (subject !~ '[[:cntrl:]]' AND recipient !~ '[[:cntrl:]]'),
  CONSTRAINT mail_unsubscribe_url CHECK (unsubscribe_url !~ '[[:cntrl:][:space:]<>]')
) PARTITION BY RANGE (created_at);
CREATE TABLE mail_default PARTITION OF mail DEFAULT;
SELECT ensure_partitions('mail', date_trunc('day', now(), 'UTC'), '1 day', 3);
CREATE INDEX mail_created_at_id_idx ON mail (created_at, id);
CREATE INDEX mail_next ON mail (next_attempt_at) WHERE state = 'pending';
