-- The history of a participant becomes a list of documents, each with an entry in the transparency log. Earlier
-- versions had contacts in plain text, so they are deleted. The migrate command then adds a first version for each
-- participant.

DROP TABLE participant_version;
ALTER TABLE participant ALTER COLUMN version SET DEFAULT 0;
UPDATE participant SET version = 0;

-- One random 128-bit salt for each contact, base64url. A version contains only the hash of salt and contact.
ALTER TABLE participant ADD COLUMN contact_salts text[];
UPDATE participant SET contact_salts = ARRAY(
  SELECT rtrim(translate(encode(substr(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'base64'), '+/', '-_'), '=')
    FROM unnest(contacts)
);

CREATE TABLE participant_version (
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  version integer NOT NULL,
  change text NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  document jsonb NOT NULL,
  diff jsonb NOT NULL,
  document_sha256 text NOT NULL,
  log_entry text NOT NULL,
  PRIMARY KEY (participant_id, version)
);
CREATE TRIGGER participant_version_append_only BEFORE UPDATE OR DELETE ON participant_version
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER participant_version_keep BEFORE TRUNCATE ON participant_version EXECUTE FUNCTION refuse_change();

-- The number of entries in the log.
CREATE TABLE directory_log (
  id integer NOT NULL DEFAULT 1 PRIMARY KEY CHECK (id = 1),
  size bigint NOT NULL
) WITH (fillfactor = 10);

-- The place of each version in the log.
CREATE TABLE directory_log_entry (
  log_index bigint NOT NULL PRIMARY KEY,
  participant_id text NOT NULL,
  version integer NOT NULL,
  FOREIGN KEY (participant_id, version) REFERENCES participant_version (participant_id, version)
    ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE UNIQUE INDEX directory_log_entry_participant_id_version_key ON directory_log_entry (participant_id, version);
CREATE TRIGGER directory_log_entry_append_only BEFORE UPDATE OR DELETE ON directory_log_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER directory_log_entry_keep BEFORE TRUNCATE ON directory_log_entry EXECUTE FUNCTION refuse_change();

-- Runs during COMMIT, so that the counter is locked only until the commit is written. The order of the indexes is the
-- order of the commits: a reader that sees an index also sees all lower ones.
CREATE FUNCTION append_directory_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  next bigint;
BEGIN
  -- A restore loads the places too.
  IF EXISTS (SELECT FROM directory_log_entry e WHERE e.participant_id = NEW.participant_id AND e.version = NEW.version) THEN
    RETURN NULL;
  END IF;
  INSERT INTO directory_log (id, size) VALUES (1, 1)
    ON CONFLICT (id) DO UPDATE SET size = directory_log.size + 1 RETURNING size - 1 INTO next;
  INSERT INTO directory_log_entry (log_index, participant_id, version) VALUES (next, NEW.participant_id, NEW.version);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER participant_version_logged AFTER INSERT ON participant_version
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION append_directory_log_entry();
