-- Mandate credentials and the status lists that show whether they are valid.

-- Each version of a mandate has its own credential and its own index, which is the same in all three status lists.
CREATE TABLE mandate_version (
  mandate_id text NOT NULL REFERENCES mandate (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  version integer NOT NULL,
  details jsonb NOT NULL,
  list_number integer NOT NULL,
  status_index integer NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  revoked_at timestamptz(3),
  suspended boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  superseded_at timestamptz(3),
  credential_kid text,
  PRIMARY KEY (mandate_id, version)
);
CREATE UNIQUE INDEX mandate_version_list_number_status_index_key ON mandate_version (list_number, status_index);
-- The bits that are set in a list, from the index alone.
CREATE INDEX mandate_version_flagged ON mandate_version (list_number, status_index) INCLUDE (revoked, suspended)
  WHERE revoked OR suspended;
-- The credentials that a revoked key signed.
CREATE INDEX mandate_version_credential_kid ON mandate_version (credential_kid) WHERE credential_kid IS NOT NULL;

-- A revoked index never becomes valid again.
CREATE FUNCTION refuse_unrevoke() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revoked status index never flips back';
END $$;
CREATE TRIGGER mandate_version_revoked_is_final BEFORE UPDATE ON mandate_version
  FOR EACH ROW WHEN (OLD.revoked AND NOT NEW.revoked) EXECUTE FUNCTION refuse_unrevoke();

CREATE TABLE status_list (
  id text PRIMARY KEY,
  kind text NOT NULL,
  number integer NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  body text,
  etag text,
  built_at timestamptz(3),
  valid_until timestamptz(3),
  kid text
);
CREATE UNIQUE INDEX status_list_kind_number_key ON status_list (kind, number);

-- Changed bits that no published list contains yet. They are rows, not a flag on the list, so that revocations don't
-- wait for each other or for a build.
CREATE TABLE status_change (
  id bigserial PRIMARY KEY,
  list_number integer NOT NULL,
  at timestamptz(3) NOT NULL
);
CREATE INDEX status_change_list_number_idx ON status_change (list_number);

-- When an index was suspended: status lists are served as of an earlier time, for 90 days (docs/spec/payments.md,
-- Status lists). A revocation is final, so its time is in the mandate's version.
CREATE TABLE status_suspension (
  id bigserial PRIMARY KEY,
  list_number integer NOT NULL,
  status_index integer NOT NULL,
  suspended_at timestamptz(3) NOT NULL,
  lifted_at timestamptz(3)
);
CREATE INDEX status_suspension_list_number_status_index_idx ON status_suspension (list_number, status_index);
CREATE INDEX status_suspension_lifted_at_idx ON status_suspension (lifted_at);
