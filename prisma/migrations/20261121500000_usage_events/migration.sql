-- What merchants tell of meters of their own (POST /billing/usage-events; docs/adr/052-merchant-usage-events.md).

-- Which ids a merchant's sources have used: unique over time, so hash-partitioned by merchant (docs/spec/billing.md,
-- Usage events).
CREATE TABLE "usage_event_key" (
  "merchant_id" text NOT NULL,
  "source" text COLLATE "C" NOT NULL,
  "event_id" text COLLATE "C" NOT NULL,
  -- of all else that the event says
  "body_hash" text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  PRIMARY KEY ("merchant_id", "source", "event_id")
) PARTITION BY HASH ("merchant_id");
CREATE INDEX "usage_event_key_time" ON "usage_event_key" ("time");
DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "usage_event_key" FOR VALUES WITH (MODULUS 8, REMAINDER %s)', 'usage_event_key_' || part, part);
  END LOOP;
END $$;

-- The events themselves, by the month of their time, which their ids carry.
CREATE TABLE "usage_event" (
  "merchant_id" text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  "id" text NOT NULL,
  "source" text NOT NULL,
  "event_id" text NOT NULL,
  "meter" text NOT NULL,
  "subject" text,
  "quantity" bigint NOT NULL,
  "received_at" timestamptz(3) NOT NULL,
  CONSTRAINT "usage_event_quantity" CHECK ("quantity" BETWEEN 1 AND 999999999999),
  -- What a count of meters reads stands in the index.
  PRIMARY KEY ("merchant_id", "time", "id") INCLUDE ("meter", "quantity")
) PARTITION BY RANGE ("time");
CREATE TABLE "usage_event_default" PARTITION OF "usage_event" DEFAULT;
-- An event is taken for 35 days: from two months ago on.
SELECT "ensure_partitions"('usage_event', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);
