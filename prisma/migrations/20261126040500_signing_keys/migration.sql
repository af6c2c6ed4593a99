-- The server's signing keys.

CREATE TYPE key_state AS ENUM ('next', 'active', 'retired', 'revoked', 'deleted');

CREATE TABLE signing_key (
  kid text PRIMARY KEY,
  purpose text NOT NULL,
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed text,
  state key_state NOT NULL,
  created_at timestamptz(3) NOT NULL,
  published_at timestamptz(3),
  activated_at timestamptz(3),
  rotation_requested_at timestamptz(3),
  retired_at timestamptz(3),
  publish_until timestamptz(3),
  deleted_at timestamptz(3),
  revoked_at timestamptz(3),
  -- A private key is kept only while it can sign.
  CONSTRAINT signing_key_private_half CHECK ((private_sealed IS NOT NULL) = (state IN ('next', 'active'))),
  CONSTRAINT signing_key_life CHECK (
    (state NOT IN ('active', 'retired') OR activated_at IS NOT NULL)
    AND (state <> 'retired' OR (retired_at IS NOT NULL AND publish_until IS NOT NULL))
    AND ((revoked_at IS NOT NULL) = (state = 'revoked'))
  )
);
CREATE INDEX signing_key_purpose_state_idx ON signing_key (purpose, state);
CREATE UNIQUE INDEX signing_key_one_active ON signing_key (purpose) WHERE state = 'active';
CREATE UNIQUE INDEX signing_key_one_next ON signing_key (purpose) WHERE state = 'next';
