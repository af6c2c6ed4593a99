-- Sign-up: an account may have passkeys only, and a sign-up is a row of its own until its address is verified.

ALTER TABLE account ALTER COLUMN password_hash DROP NOT NULL;

ALTER TABLE pushed_request ADD COLUMN extended_at timestamptz(3);

CREATE TABLE pending_sign_up (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  email text NOT NULL,
  display_name text NOT NULL,
  password_hash text,
  is_taken boolean NOT NULL,
  cookie_hash text NOT NULL,
  link_hash text NOT NULL,
  code_hash text NOT NULL,
  code_expires_at timestamptz(3) NOT NULL,
  tries_left integer NOT NULL,
  codes_sent integer NOT NULL DEFAULT 1,
  return_to text NOT NULL,
  locale text NOT NULL,
  time_zone text NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  verified_at timestamptz(3),
  completed_at timestamptz(3),
  CONSTRAINT pending_sign_up_email_lower CHECK (email = lower(email)),
  CONSTRAINT pending_sign_up_tries CHECK (tries_left >= 0)
);
CREATE UNIQUE INDEX pending_sign_up_cookie_hash_key ON pending_sign_up (cookie_hash);
CREATE UNIQUE INDEX pending_sign_up_link_hash_key ON pending_sign_up (link_hash);
CREATE INDEX pending_sign_up_email_created_at_idx ON pending_sign_up (email, created_at);
CREATE INDEX pending_sign_up_expires_at_idx ON pending_sign_up (expires_at);

CREATE TABLE sign_up_invitation (
  token_hash text PRIMARY KEY,
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_up_invitation_email_lower CHECK (email = lower(email))
);
CREATE INDEX sign_up_invitation_expires_at_idx ON sign_up_invitation (expires_at);
