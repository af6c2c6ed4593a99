-- Merchants that register themselves, their review, their team's invitations and their account at the processor.

CREATE TYPE merchant_review AS ENUM ('pending', 'approved', 'declined');

ALTER TABLE merchant
  ADD COLUMN charges_enabled boolean NOT NULL DEFAULT true,
  ADD COLUMN review merchant_review NOT NULL DEFAULT 'approved',
  ADD COLUMN reviewed_at timestamptz(3),
  ADD COLUMN review_reason text,
  ADD COLUMN country char(2),
  ADD COLUMN website_uri text,
  ADD COLUMN currency char(3),
  ADD COLUMN time_zone text,
  ADD COLUMN statement_descriptor text,
  ADD COLUMN accent_color char(7),
  ADD COLUMN creation_key text;
CREATE UNIQUE INDEX merchant_creation_key_key ON merchant (creation_key);
-- The few that wait for an operator.
CREATE INDEX merchant_pending ON merchant (created_at) WHERE review = 'pending';

CREATE TABLE merchant_invitation (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  email text NOT NULL,
  role merchant_role NOT NULL,
  token_hash text NOT NULL,
  invited_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  accepted_by text,
  cancelled_at timestamptz(3)
);
CREATE UNIQUE INDEX merchant_invitation_token_hash_key ON merchant_invitation (token_hash);
CREATE INDEX merchant_invitation_merchant_id_created_at_idx ON merchant_invitation (merchant_id, created_at);
-- One open invitation for each address.
CREATE UNIQUE INDEX merchant_invitation_open ON merchant_invitation (merchant_id, email)
  WHERE accepted_at IS NULL AND cancelled_at IS NULL;

CREATE TABLE merchant_logo (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  hash text NOT NULL,
  media_type text NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE processor_onboarding (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  details_submitted boolean NOT NULL DEFAULT false,
  payouts_enabled boolean NOT NULL DEFAULT false,
  requirements_due text[],
  disabled_reason text,
  checked_at timestamptz(3) NOT NULL
);
