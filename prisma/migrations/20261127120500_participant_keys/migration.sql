-- The public keys of each participant, and when it held them.

CREATE TABLE participant_key (
  id bigserial PRIMARY KEY,
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  thumbprint text NOT NULL,
  -- null if the participant stopped using the key before keys were kept
  jwk jsonb,
  since timestamptz(3) NOT NULL,
  until timestamptz(3)
);
CREATE UNIQUE INDEX participant_key_current ON participant_key (participant_id, thumbprint) WHERE until IS NULL;
CREATE INDEX participant_key_participant_id_idx ON participant_key (participant_id);
CREATE INDEX participant_key_thumbprint_idx ON participant_key (thumbprint);

-- The documents of the history say which keys a participant had at each version.
WITH held AS (
  SELECT v.participant_id, v.version, v.changed_at, k ->> 'thumbprint' AS thumbprint
    FROM participant_version v, jsonb_array_elements(v.document -> 'keys') k
), began AS (
  SELECT h.* FROM held h
   WHERE NOT EXISTS (SELECT FROM held b WHERE b.participant_id = h.participant_id AND b.thumbprint = h.thumbprint
                        AND b.version = h.version - 1)
)
INSERT INTO participant_key (participant_id, thumbprint, since, until)
SELECT b.participant_id, b.thumbprint, b.changed_at,
       (SELECT v.changed_at FROM participant_version v
         WHERE v.participant_id = b.participant_id AND v.version > b.version
           AND NOT EXISTS (SELECT FROM held h WHERE h.participant_id = v.participant_id AND h.version = v.version
                              AND h.thumbprint = b.thumbprint)
         ORDER BY v.version LIMIT 1)
  FROM began b ORDER BY b.changed_at;

-- The keys themselves: registered, last loaded, or the authorization server's own. Thumbprints follow RFC 7638.
WITH raw AS (
  SELECT c.participant_id, k AS jwk
    FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id,
         jsonb_array_elements(CASE jsonb_typeof(coalesce(c.jwks, s.jwks) -> 'keys') WHEN 'array' THEN coalesce(c.jwks, s.jwks) -> 'keys' ELSE '[]' END) k
   WHERE c.participant_id IS NOT NULL AND c.deleted_at IS NULL
  UNION ALL
  SELECT p.id, s.public_jwk FROM participant p, signing_key s WHERE 'authorization_server' = ANY (p.roles)
), known AS (
  SELECT participant_id,
         rtrim(translate(encode(sha256(convert_to(CASE jwk ->> 'kty'
           WHEN 'RSA' THEN format('{"e":%s,"kty":"RSA","n":%s}', jwk -> 'e', jwk -> 'n')
           WHEN 'OKP' THEN format('{"crv":%s,"kty":"OKP","x":%s}', jwk -> 'crv', jwk -> 'x')
           ELSE format('{"crv":%s,"kty":"EC","x":%s,"y":%s}', jwk -> 'crv', jwk -> 'x', jwk -> 'y')
         END, 'UTF8')), 'base64'), '+/', '-_'), '=') AS thumbprint,
         jsonb_strip_nulls(jsonb_build_object('kty', jwk -> 'kty', 'crv', jwk -> 'crv', 'x', jwk -> 'x', 'y', jwk -> 'y',
           'n', jwk -> 'n', 'e', jwk -> 'e', 'kid', jwk -> 'kid', 'alg', jwk -> 'alg', 'use', jwk -> 'use')) AS jwk
    FROM raw
)
UPDATE participant_key p SET jwk = k.jwk FROM known k
 WHERE k.participant_id = p.participant_id AND k.thumbprint = p.thumbprint;
