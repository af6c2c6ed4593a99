-- Operators: roles, invitations and the second factor.

CREATE TYPE operator_role AS ENUM ('admin', 'support', 'viewer');

-- is_operator stays, and every change of the role sets it: web nodes of the earlier version read it during an upgrade.
ALTER TABLE account ADD COLUMN operator_role operator_role;
UPDATE account SET operator_role = 'admin' WHERE is_operator;
CREATE INDEX account_operator_idx ON account (id) WHERE operator_role IS NOT NULL;

-- When the session proved a second factor: a passkey, or a password and a code.
ALTER TABLE session ADD COLUMN second_factor_at timestamptz(3);
UPDATE session SET second_factor_at = auth_time WHERE acr = 'urn:paygrant:acr:passkey';

-- The TOTP secret of an account (RFC 6238).
CREATE TABLE account_totp (
  account_id text PRIMARY KEY REFERENCES account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  sealed_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code: a code is accepted once (RFC 6238 §5.2).
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE operator_invitation (
  id text PRIMARY KEY,
  email text NOT NULL,
  role operator_role NOT NULL,
  secret_hash text NOT NULL,
  -- The id of the account that the invitation creates, if the address has none: its passkey contains the id.
  new_account_id text NOT NULL,
  invited_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT operator_invitation_email_lower CHECK (email = lower(email))
);
CREATE UNIQUE INDEX operator_invitation_secret_hash_key ON operator_invitation (secret_hash);
-- An address has one link at a time: a new link replaces it.
CREATE UNIQUE INDEX operator_invitation_open ON operator_invitation (email)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;
