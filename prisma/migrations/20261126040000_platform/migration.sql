-- The basis of the other areas: the database's environment, rules for append-only tables and partitions, shared
-- limits, and the state of the jobs.

-- One row: the environment that this database belongs to.
CREATE TABLE environment (
  id integer PRIMARY KEY DEFAULT 1,
  kind text NOT NULL,
  issuer text NOT NULL,
  fingerprint text NOT NULL,
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  reset_begun_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT environment_one_row CHECK (id = 1),
  -- Only a sandbox's clock can be set ahead, and only a sandbox can be reset.
  CONSTRAINT environment_clock CHECK (clock_offset_ms = 0 OR (clock_offset_ms > 0 AND kind = 'sandbox')),
  CONSTRAINT environment_reset CHECK (reset_begun_at IS NULL OR kind = 'sandbox')
);

-- For triggers of append-only tables.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

-- Creates `total` range partitions of a table, one per `step`, starting at `first`. Existing ones are kept. Each
-- migration calls it for the current day or month, so that the first rows don't go to the default partition. After
-- that, upkeep creates partitions ahead of time (docs/adr/019-time-partitioned-tables.md). It works in UTC because in
-- other time zones some days are 23 or 25 hours long.
CREATE FUNCTION ensure_partitions("parent" text, "first" timestamptz, "step" interval, "total" int) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  lower_bound timestamptz := "first";
  name text;
BEGIN
  FOR i IN 1.."total" LOOP
    name := "parent" || '_' || to_char(lower_bound, 'YYYYMMDD');
    IF to_regclass(quote_ident(name)) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, "parent", lower_bound, lower_bound + "step");
    END IF;
    lower_bound := lower_bound + "step";
  END LOOP;
END $$;

-- Drops the partitions that end at `before` or earlier, and returns their number.
CREATE FUNCTION drop_partitions("parent" text, "step" interval, "before" timestamptz) RETURNS int
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  name text;
  dropped int := 0;
BEGIN
  FOR name IN
    SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = quote_ident("parent")::regclass
      AND child.relname ~ ('^' || "parent" || '_[0-9]{8}$')
      AND to_timestamp(right(child.relname, 8), 'YYYYMMDD') + "step" <= "before"
  LOOP
    EXECUTE format('DROP TABLE %I', name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- Unlogged: after a crash of the database every bucket is full again, and nothing else is lost. Free space on each page
-- keeps most updates out of the indexes.
CREATE UNLOGGED TABLE rate_limit_bucket (
  key text PRIMARY KEY,
  full_at timestamptz NOT NULL,
  used_ms double precision NOT NULL,
  audited_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX rate_limit_bucket_full_at_idx ON rate_limit_bucket (full_at);

-- The last run of each job that runs every few seconds.
CREATE TABLE job_pulse (
  name text PRIMARY KEY,
  ran_at timestamptz(3) NOT NULL,
  ok_at timestamptz(3),
  runs bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamptz(3)
);
