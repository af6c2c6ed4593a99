-- The discovery directory: its participants, their domains and their history.

CREATE TABLE participant (
  id text PRIMARY KEY,
  roles text[],
  merchant_id text REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE SET NULL,
  display_name text NOT NULL,
  legal_name text,
  website_uri text,
  logo_uri text,
  contacts text[],
  withdrawn_at timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX participant_merchant_id_key ON participant (merchant_id);
CREATE INDEX participant_updated_at_id_idx ON participant (updated_at, id);
-- For searches by the first letters of words.
CREATE INDEX participant_names ON participant
  USING gin (to_tsvector('simple'::regconfig, display_name || ' ' || coalesce(legal_name, '')));

-- A domain that a participant claims, and the token that proves the claim.
CREATE TABLE participant_domain (
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  domain text NOT NULL,
  token text NOT NULL,
  claimed_at timestamptz(3) NOT NULL,
  verified_at timestamptz(3),
  PRIMARY KEY (participant_id, domain)
);
CREATE INDEX participant_domain_domain_idx ON participant_domain (domain);

-- The content of an entry at each version.
CREATE TABLE participant_version (
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  version integer NOT NULL,
  change text NOT NULL,
  entry jsonb NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (participant_id, version)
);
