-- People: how they sign in and what they pay with.

CREATE TABLE account (
  id text PRIMARY KEY,
  email text NOT NULL,
  email_verified_at timestamptz(3),
  display_name text NOT NULL,
  password_hash text NOT NULL,
  is_operator boolean NOT NULL DEFAULT false,
  is_demo boolean NOT NULL DEFAULT false,
  is_probe boolean NOT NULL DEFAULT false,
  locale text NOT NULL DEFAULT 'en-GB',
  time_zone text NOT NULL DEFAULT 'UTC',
  created_at timestamptz(3) NOT NULL,
  -- Addresses are compared as they are stored.
  CONSTRAINT account_email_lower CHECK (email = lower(email))
);
CREATE UNIQUE INDEX account_email_key ON account (email);

CREATE TABLE session (
  id text PRIMARY KEY,
  secret_hash text NOT NULL,
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  auth_time timestamptz(3) NOT NULL,
  acr text NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  ip_address text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX session_secret_hash_key ON session (secret_hash);
CREATE INDEX session_account_id_idx ON session (account_id);

-- Failed sign-ins, by account and by IP address.
CREATE TABLE sign_in_bucket (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  last_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_bucket_last_at_idx ON sign_in_bucket (last_at);

CREATE TABLE passkey (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[],
  name text NOT NULL,
  is_backed_up boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  -- An unsigned 32-bit number (WebAuthn Level 2 §6.1).
  CONSTRAINT passkey_counter CHECK (counter BETWEEN 0 AND 4294967295)
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE INDEX passkey_account_id_idx ON passkey (account_id);

CREATE TYPE passkey_purpose AS ENUM ('add', 'sign_in', 'confirm');

-- A challenge that a passkey signs. The first answer deletes the row.
CREATE TABLE passkey_challenge (
  hash text PRIMARY KEY,
  purpose passkey_purpose NOT NULL,
  session_id text,
  expires_at timestamptz(3) NOT NULL,
  -- A challenge without a session can only start one.
  CONSTRAINT passkey_challenge_session CHECK ((session_id IS NULL) = (purpose = 'sign_in'))
);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

CREATE TABLE payment_method (
  id text PRIMARY KEY,
  payer_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  processor text NOT NULL,
  processor_ref text NOT NULL,
  type text NOT NULL,
  label text NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3)
);
CREATE INDEX payment_method_payer_id_idx ON payment_method (payer_id);
CREATE UNIQUE INDEX payment_method_one_default ON payment_method (payer_id) WHERE is_default AND removed_at IS NULL;

CREATE TYPE card_setup_state AS ENUM ('open', 'added', 'ended');

-- A card that a payer is adding on the processor's pages. It is open until the outcome is known.
CREATE TABLE card_setup (
  id text PRIMARY KEY,
  payer_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  processor text NOT NULL,
  setup_ref text NOT NULL,
  state card_setup_state NOT NULL DEFAULT 'open',
  payment_method_id text REFERENCES payment_method (id) ON UPDATE CASCADE ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  next_lookup_at timestamptz(3),
  lookups integer NOT NULL DEFAULT 0,
  -- Only an open setup is looked up, and only an added one has a payment method.
  CONSTRAINT card_setup_settled CHECK (
    (state = 'open') = (next_lookup_at IS NOT NULL) AND (state = 'added') = (payment_method_id IS NOT NULL)
  )
);
CREATE UNIQUE INDEX card_setup_processor_setup_ref_key ON card_setup (processor, setup_ref);
CREATE INDEX card_setup_payer_id_idx ON card_setup (payer_id);
CREATE INDEX card_setup_next_lookup_at_idx ON card_setup (next_lookup_at);
CREATE INDEX card_setup_expires_at_idx ON card_setup (expires_at);
