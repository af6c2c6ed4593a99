-- Entities of OpenID Federation that participants registered, with the last configuration that was fetched.

CREATE TABLE participant_federation_entity (
  participant_id text PRIMARY KEY REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  entity_id text NOT NULL,
  configuration text NOT NULL,
  key_thumbprints text[] NOT NULL,
  entity_types text[] NOT NULL,
  valid_until timestamptz(3) NOT NULL,
  check_due_at timestamptz(3) NOT NULL
);

CREATE UNIQUE INDEX participant_federation_entity_entity_id_key ON participant_federation_entity (entity_id);
CREATE INDEX participant_federation_entity_check_due_at_idx ON participant_federation_entity (check_due_at);
