-- Unlogged: after a crash of the database every bucket is full again, and nothing else is lost.
CREATE UNLOGGED TABLE rate_limit_bucket (
  key text NOT NULL,
  full_at timestamptz NOT NULL,
  taken_ms double precision NOT NULL,
  audited_at timestamptz,

  CONSTRAINT rate_limit_bucket_pkey PRIMARY KEY (key)
) WITH (fillfactor = 70);

CREATE INDEX rate_limit_bucket_full_at_idx ON rate_limit_bucket (full_at);
