-- Keys of clients that operators don't accept (docs/spec/oauth.md, Blocked keys).
CREATE TABLE blocked_client_key (
  -- RFC 7638, SHA-256, base64url
  thumbprint text NOT NULL,
  -- hash of the thumbprint, as in client.key_thumbprint_hashes
  thumbprint_hash text NOT NULL,
  reason text NOT NULL,
  blocked_by text NOT NULL,
  blocked_at timestamptz(3) NOT NULL,
  CONSTRAINT blocked_client_key_pkey PRIMARY KEY (thumbprint)
);
CREATE UNIQUE INDEX blocked_client_key_thumbprint_hash_key ON blocked_client_key (thumbprint_hash);
CREATE INDEX blocked_client_key_blocked_at_thumbprint_idx ON blocked_client_key (blocked_at, thumbprint);

-- Which clients use a key.
CREATE INDEX client_key_thumbprint_hashes_idx ON client USING gin (key_thumbprint_hashes);
