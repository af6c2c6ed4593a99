-- What each hour (UTC) of a merchant's own meters adds up to, written with its events: a count of a period reads its hours.
CREATE TABLE "usage_hour" (
  "merchant_id" text NOT NULL,
  "hour" timestamptz(3) NOT NULL,
  "meter" text COLLATE "C" NOT NULL,
  "count" bigint NOT NULL,
  "quantity" numeric NOT NULL,
  PRIMARY KEY ("merchant_id", "hour", "meter")
) PARTITION BY RANGE ("hour");
CREATE TABLE "usage_hour_default" PARTITION OF "usage_hour" DEFAULT;
SELECT "ensure_partitions"('usage_hour', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);

INSERT INTO "usage_hour" ("merchant_id", "hour", "meter", "count", "quantity")
SELECT "merchant_id", date_trunc('hour', "time", 'UTC'), "meter", count(*), sum("quantity") FROM "usage_event" GROUP BY 1, 2, 3;
