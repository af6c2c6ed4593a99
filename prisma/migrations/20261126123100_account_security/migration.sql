-- Recovery codes, password reset, change of e-mail, sign-in history, and the currency of totals.

ALTER TABLE account ADD COLUMN currency text;

-- A used code is kept, so that the page can show when it was used. New codes replace all codes of the account.
CREATE TABLE recovery_code (
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  code_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (account_id, code_hash)
);

-- A request for an unknown address has a row too, without an account, so that both requests take the same time.
CREATE TABLE password_reset (
  token_hash text PRIMARY KEY,
  account_id text REFERENCES account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX password_reset_account_id_idx ON password_reset (account_id);
CREATE INDEX password_reset_expires_at_idx ON password_reset (expires_at);

-- One change at a time: a new one replaces the row.
CREATE TABLE email_change (
  account_id text PRIMARY KEY REFERENCES account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  id text NOT NULL,
  email text NOT NULL,
  is_taken boolean NOT NULL,
  code_hash text NOT NULL,
  link_hash text NOT NULL,
  tries_left integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT email_change_email_lower CHECK (email = lower(email)),
  CONSTRAINT email_change_tries CHECK (tries_left >= 0)
);
CREATE UNIQUE INDEX email_change_id_key ON email_change (id);
CREATE UNIQUE INDEX email_change_link_hash_key ON email_change (link_hash);
CREATE INDEX email_change_expires_at_idx ON email_change (expires_at);

CREATE TYPE sign_in_outcome AS ENUM (
  'signed_in', 'wrong_password', 'passkey_refused', 'recovery_code', 'recovery_code_refused', 'reset'
);

-- An attempt on an unknown account has a row too, so that it takes the same time.
CREATE TABLE sign_in_event (
  id text PRIMARY KEY,
  account_id text REFERENCES account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  outcome sign_in_outcome NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  ip_address text NOT NULL DEFAULT ''
);
CREATE INDEX sign_in_event_account_id_at_id_idx ON sign_in_event (account_id, at DESC, id DESC);
CREATE INDEX sign_in_event_at_idx ON sign_in_event (at);
