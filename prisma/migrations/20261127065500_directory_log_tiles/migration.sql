-- The published transparency log: its signing key, its tiles and its latest checkpoint.

CREATE TABLE directory_log_key (
  id integer NOT NULL DEFAULT 1 PRIMARY KEY CHECK (id = 1),
  public_key bytea NOT NULL,
  private_sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- A tile grows until it is full. What it contains never changes. Level -1 has the entries themselves.
CREATE TABLE directory_log_tile (
  level integer NOT NULL,
  number bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (level, number)
);

CREATE TABLE directory_log_checkpoint (
  id integer NOT NULL DEFAULT 1 PRIMARY KEY CHECK (id = 1),
  size bigint NOT NULL,
  root_hash bytea NOT NULL,
  note text NOT NULL,
  published_at timestamptz(3) NOT NULL
);
