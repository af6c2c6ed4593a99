-- Authenticated API requests of merchants' clients, for 30 days (docs/spec/operations.md, Data retention).
CREATE TABLE api_log (
  merchant_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  -- unique: one request has one row
  request_id text NOT NULL,
  client_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  -- null: no query
  query text,
  status integer NOT NULL,
  milliseconds integer NOT NULL,
  -- without secrets, cut at a few KiB; null: no body
  request_body text,
  response_body text,
  PRIMARY KEY (merchant_id, at, request_id)
) PARTITION BY RANGE (at);
CREATE INDEX api_log_request_id ON api_log (request_id);
CREATE TABLE api_log_default PARTITION OF api_log DEFAULT;
SELECT ensure_partitions('api_log', date_trunc('day', now(), 'UTC'), '1 day', 3);

-- When a client's key last signed an accepted assertion.
CREATE TABLE client_key_use (
  client_id text NOT NULL,
  -- empty: the assertion named no key
  kid text NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  CONSTRAINT client_key_use_pkey PRIMARY KEY (client_id, kid)
);
