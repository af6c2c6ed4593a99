-- Merchants and the people who work for them.

CREATE TABLE merchant (
  id text PRIMARY KEY,
  display_name text NOT NULL,
  legal_name text NOT NULL,
  mcc char(4) NOT NULL,
  processor text NOT NULL,
  processor_account text NOT NULL,
  suspended_at timestamptz(3),
  is_probe boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  -- ISO 18245.
  CONSTRAINT merchant_mcc CHECK (mcc ~ '^[0-9]{4}$')
);
CREATE INDEX merchant_display_name_idx ON merchant (display_name);

CREATE TYPE merchant_role AS ENUM ('owner', 'admin', 'developer', 'viewer');

CREATE TABLE merchant_member (
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  account_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  role merchant_role NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, account_id)
);
CREATE INDEX merchant_member_account_id_idx ON merchant_member (account_id);
