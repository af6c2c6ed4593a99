-- E-mails of an act with many recipients. The act's transaction writes a few rows, and workers queue the e-mails
-- afterwards, one row per transaction (docs/spec/operations.md, E-mail).

-- One rendered e-mail for several recipients.
CREATE TABLE mail_batch (
  id text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  recipients text[] NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  about_account_id text,
  request_id text NOT NULL
);
CREATE INDEX mail_batch_created_at_id_idx ON mail_batch (created_at, id);

-- Mandates that one act changed. Each payer gets an e-mail per client. All mandates of a payer are in one row.
CREATE TABLE mandate_mail_batch (
  id text PRIMARY KEY,
  created_at timestamptz(3) NOT NULL,
  mandate_ids text[] NOT NULL,
  change text NOT NULL,
  actor_kind text NOT NULL,
  at timestamptz(3) NOT NULL,
  request_id text NOT NULL
);
CREATE INDEX mandate_mail_batch_created_at_id_idx ON mandate_mail_batch (created_at, id);
