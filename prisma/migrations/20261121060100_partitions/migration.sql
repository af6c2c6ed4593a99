-- Tables that grow with traffic, by time: old data leaves by dropping partitions (docs/spec/operations.md, Data
-- retention; docs/adr/019-time-partitioned-tables.md).
-- Their foreign keys go: dropping a partition would lock the tables that they point to.

-- Moves one table's rows into a partitioned one of the same name; keys and indexes are made anew by the caller.
CREATE FUNCTION pg_temp."partition_table"("t" text, "key" text, "step" text, "ahead" int) RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  lower_bound timestamptz;
  last_row timestamptz;
BEGIN
  EXECUTE format('ALTER TABLE %I RENAME TO %I', "t", "t" || '_before');
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (%I)', "t", "t" || '_before', "key");
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', "t" || '_default', "t");
  EXECUTE format('SELECT min(%I), max(%I) FROM %I', "key", "key", "t" || '_before') INTO lower_bound, last_row;
  lower_bound := date_trunc(split_part("step", ' ', 2), least(lower_bound, now()));
  WHILE lower_bound <= greatest(last_row, now() + "ahead" * "step"::interval) LOOP
    PERFORM "ensure_partitions"("t", lower_bound, "step"::interval, 1);
    lower_bound := lower_bound + "step"::interval;
  END LOOP;
  EXECUTE format('INSERT INTO %I SELECT * FROM %I', "t", "t" || '_before');
  EXECUTE format('DROP TABLE %I', "t" || '_before');
END $$;

-- By the instant that their own secrets carry. It stays when something ends earlier than its secret says.
ALTER TABLE "pushed_request" ADD COLUMN "dated_at" timestamptz(3);
ALTER TABLE "authorization_code" ADD COLUMN "dated_at" timestamptz(3);
ALTER TABLE "refresh_token" ADD COLUMN "dated_at" timestamptz(3);
UPDATE "pushed_request" SET "dated_at" = "expires_at";
UPDATE "authorization_code" SET "dated_at" = "expires_at";
UPDATE "refresh_token" SET "dated_at" = "expires_at";
ALTER TABLE "pushed_request" ALTER COLUMN "dated_at" SET NOT NULL;
ALTER TABLE "authorization_code" ALTER COLUMN "dated_at" SET NOT NULL;
ALTER TABLE "refresh_token" ALTER COLUMN "dated_at" SET NOT NULL;

SELECT pg_temp."partition_table"('pushed_request', 'dated_at', '1 day', 2);
ALTER TABLE "pushed_request" ADD PRIMARY KEY ("request_uri_hash", "dated_at");
CREATE UNIQUE INDEX "pushed_request_handle_key" ON "pushed_request" ("handle", "dated_at");

SELECT pg_temp."partition_table"('authorization_code', 'dated_at', '1 day', 2);
ALTER TABLE "authorization_code" ADD PRIMARY KEY ("code_hash", "dated_at");
CREATE INDEX "authorization_code_grant_id_idx" ON "authorization_code" ("grant_id");

SELECT pg_temp."partition_table"('refresh_token', 'dated_at', '1 month', 13);
ALTER TABLE "refresh_token" ADD PRIMARY KEY ("secret_hash", "dated_at");
CREATE INDEX "refresh_token_grant_id_idx" ON "refresh_token" ("grant_id");
CREATE INDEX "refresh_token_family_id_idx" ON "refresh_token" ("family_id");
CREATE INDEX "refresh_token_sealed" ON "refresh_token" ("rotated_at") WHERE "successor_sealed" IS NOT NULL;

SELECT pg_temp."partition_table"('token_denial', 'expires_at', '1 day', 2);
ALTER TABLE "token_denial" ADD PRIMARY KEY ("jti", "expires_at");

-- By the instant of what happened.
SELECT pg_temp."partition_table"('event', 'created_at', '1 month', 2);
ALTER TABLE "event" ADD PRIMARY KEY ("id", "created_at");
CREATE INDEX "event_object_id_sequence_idx" ON "event" ("object_id", "sequence");
CREATE INDEX "event_undispatched" ON "event" ("created_at") WHERE "dispatched_at" IS NULL;

SELECT pg_temp."partition_table"('charge', 'created_at', '1 month', 2);
ALTER TABLE "charge" ADD PRIMARY KEY ("id", "created_at");
CREATE INDEX "charge_merchant_id_created_at_id_idx" ON "charge" ("merchant_id", "created_at", "id");
CREATE INDEX "charge_mandate_id_created_at_idx" ON "charge" ("mandate_id", "created_at");
CREATE INDEX "charge_payer_id_created_at_id_idx" ON "charge" ("payer_id", "created_at", "id");
CREATE INDEX "charge_due" ON "charge" ("next_lookup_at") WHERE "next_lookup_at" IS NOT NULL;
CREATE INDEX "charge_unsubmitted" ON "charge" ("mandate_id") WHERE "state" IN ('reserved', 'requires_action');
