-- From an authorization request to its tokens: requests, consents, grants, codes, refresh tokens and replay protection.

-- What the payer read and decided, word for word.
CREATE TABLE consent (
  id text PRIMARY KEY,
  grant_id text,
  payer_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  client_id text NOT NULL,
  session_id text NOT NULL,
  decision text NOT NULL,
  locale text NOT NULL,
  text text NOT NULL,
  text_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX consent_payer_id_idx ON consent (payer_id);
CREATE INDEX consent_grant_id_idx ON consent (grant_id);
CREATE TRIGGER consent_append_only BEFORE UPDATE OR DELETE ON consent FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE "grant" (
  id text PRIMARY KEY,
  client_id text NOT NULL REFERENCES client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  payer_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  scopes text[],
  epoch integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  replaced_at timestamptz(3),
  reauthorized_at timestamptz(3),
  ended_at timestamptz(3)
);
CREATE INDEX grant_payer_id_idx ON "grant" (payer_id);
CREATE INDEX grant_client_id_idx ON "grant" (client_id);

-- Requests, codes and refresh tokens are partitioned by `dated_at`, the expiry time in their own secret. It doesn't
-- change when a row ends earlier, so a lookup by secret reads one partition.
CREATE TABLE pushed_request (
  request_uri_hash text NOT NULL,
  handle text NOT NULL,
  client_id text NOT NULL,
  request jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  dated_at timestamptz(3) NOT NULL,
  opened_at timestamptz(3),
  complete_by timestamptz(3),
  completed_at timestamptz(3),
  draft jsonb,
  consent_id text,
  answer_hash text,
  answer_sealed text,
  PRIMARY KEY (request_uri_hash, dated_at)
) PARTITION BY RANGE (dated_at);
CREATE TABLE pushed_request_default PARTITION OF pushed_request DEFAULT;
SELECT ensure_partitions('pushed_request', date_trunc('day', now(), 'UTC'), '1 day', 3);
CREATE UNIQUE INDEX pushed_request_handle_key ON pushed_request (handle, dated_at);

CREATE TABLE authorization_code (
  code_hash text NOT NULL,
  grant_id text NOT NULL,
  client_id text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  dpop_jkt text,
  resource text,
  auth_time timestamptz(3) NOT NULL,
  acr text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  dated_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (code_hash, dated_at)
) PARTITION BY RANGE (dated_at);
CREATE TABLE authorization_code_default PARTITION OF authorization_code DEFAULT;
SELECT ensure_partitions('authorization_code', date_trunc('day', now(), 'UTC'), '1 day', 3);
-- A replacement of the grant ends its unused codes.
CREATE INDEX authorization_code_grant_id_idx ON authorization_code (grant_id);

CREATE TABLE refresh_token (
  secret_hash text NOT NULL,
  family_id text NOT NULL,
  grant_id text NOT NULL,
  client_id text NOT NULL,
  scopes text[],
  auth_time timestamptz(3) NOT NULL,
  acr text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  dated_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3),
  successor_sealed text,
  successor_hash text,
  request_hash text,
  revoked_at timestamptz(3),
  PRIMARY KEY (secret_hash, dated_at)
) PARTITION BY RANGE (dated_at);
CREATE TABLE refresh_token_default PARTITION OF refresh_token DEFAULT;
-- Refresh tokens live for up to a year.
SELECT ensure_partitions('refresh_token', date_trunc('month', now(), 'UTC'), '1 month', 14);
CREATE INDEX refresh_token_grant_id_idx ON refresh_token (grant_id);
CREATE INDEX refresh_token_family_id_idx ON refresh_token (family_id);
-- Sealed successors of rotated tokens, oldest first. They are deleted 30 seconds after the rotation.
CREATE INDEX refresh_token_sealed ON refresh_token (rotated_at) WHERE successor_sealed IS NOT NULL;

-- Access tokens that were revoked one by one (RFC 7009), until they expire.
CREATE TABLE token_denial (
  jti text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (jti, expires_at)
) PARTITION BY RANGE (expires_at);
CREATE TABLE token_denial_default PARTITION OF token_denial DEFAULT;
SELECT ensure_partitions('token_denial', date_trunc('day', now(), 'UTC'), '1 day', 3);

-- Used assertions and DPoP proofs (docs/spec/oauth.md, Replay protection). They are partitioned by the time in the JWT:
-- once a partition is old enough to drop, its JWTs are refused for their age.
CREATE TABLE assertion_jti (
  client_id text NOT NULL,
  jti text NOT NULL,
  exp timestamptz(0) NOT NULL,
  request_id uuid NOT NULL,
  PRIMARY KEY (client_id, jti, exp)
) PARTITION BY RANGE (exp);
CREATE TABLE assertion_jti_default PARTITION OF assertion_jti DEFAULT;
SELECT ensure_partitions('assertion_jti', date_trunc('day', now(), 'UTC'), '1 day', 3);

CREATE TABLE dpop_jti (
  jkt text NOT NULL,
  jti text NOT NULL,
  htu text NOT NULL,
  iat timestamptz(0) NOT NULL,
  request_id uuid NOT NULL,
  PRIMARY KEY (jkt, jti, htu, iat)
) PARTITION BY RANGE (iat);
CREATE TABLE dpop_jti_default PARTITION OF dpop_jti DEFAULT;
SELECT ensure_partitions('dpop_jti', date_trunc('day', now(), 'UTC'), '1 day', 3);
