-- OAuth clients: registrations, their keys, and the tokens that allow a registration.

CREATE TYPE client_kind AS ENUM ('agent', 'merchant');

CREATE TABLE client (
  id text PRIMARY KEY,
  kind client_kind NOT NULL,
  merchant_id text REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE SET NULL,
  participant_id text REFERENCES participant (id) ON UPDATE CASCADE ON DELETE SET NULL,
  name text NOT NULL,
  metadata jsonb NOT NULL,
  redirect_uris text[],
  grant_types text[],
  scopes text[],
  jwks jsonb,
  jwks_uri text,
  key_thumbprint_hashes text[],
  assertion_alg text,
  dpop_bound boolean NOT NULL,
  registration_token_hash text NOT NULL,
  former_token_hash text,
  initial_access_token_id text,
  allowed_scopes text[],
  epoch integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  is_verified boolean NOT NULL DEFAULT false,
  is_probe boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  CONSTRAINT client_one_key_source CHECK (num_nonnulls(jwks, jwks_uri) = 1),
  CONSTRAINT client_merchant_by_kind CHECK ((kind = 'merchant') = (merchant_id IS NOT NULL))
);
CREATE INDEX client_merchant_id_idx ON client (merchant_id);
CREATE INDEX client_participant_id_idx ON client (participant_id);

-- The keys last loaded from a client's jwks_uri, shared by all processes.
CREATE TABLE client_key_set (
  client_id text PRIMARY KEY REFERENCES client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  jwks jsonb NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  loaded_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  retry_at timestamptz(3),
  refetched_at timestamptz(3),
  is_refetching boolean NOT NULL DEFAULT false
);

CREATE TABLE initial_access_token (
  id text PRIMARY KEY,
  secret_hash text NOT NULL,
  kind client_kind NOT NULL,
  merchant_id text,
  participant_id text REFERENCES participant (id) ON UPDATE CASCADE ON DELETE SET NULL,
  scopes text[],
  uses_left integer NOT NULL,
  label text,
  created_by text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT initial_access_token_uses CHECK (uses_left >= 0)
);
CREATE UNIQUE INDEX initial_access_token_secret_hash_key ON initial_access_token (secret_hash);
CREATE INDEX initial_access_token_merchant_id_created_at_idx ON initial_access_token (merchant_id, created_at);
CREATE INDEX initial_access_token_participant_id_created_at_idx ON initial_access_token (participant_id, created_at);

-- Sandbox only: hashes of the keys of production's clients, which a sandbox client must not use.
CREATE TABLE foreign_client_key (
  thumbprint_hash text PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);

CREATE TABLE foreign_client_key_list (
  id integer PRIMARY KEY DEFAULT 1,
  issued_at timestamptz(3) NOT NULL,
  jwks jsonb NOT NULL
);
