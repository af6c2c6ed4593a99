-- Software statements that the directory signed for participants (RFC 7591 §2.3). The JWTs aren't kept.

CREATE TABLE software_statement (
  id text NOT NULL PRIMARY KEY,
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  software_id text NOT NULL,
  client_name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);

CREATE INDEX software_statement_participant_id_created_at_id_idx
  ON software_statement (participant_id, created_at, id);
