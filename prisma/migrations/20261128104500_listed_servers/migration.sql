-- Operators list other authorization servers in the directory, by their issuers.
ALTER TABLE participant
  ADD COLUMN issuer text,
  ADD COLUMN environment text,
  ADD COLUMN stated_capabilities jsonb;
-- The metadata of both spellings of an issuer, with and without a trailing slash, has the same address (RFC 8414 §3.1).
CREATE UNIQUE INDEX participant_issuer ON participant (rtrim(issuer, '/'));
