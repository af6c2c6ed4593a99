-- What verify-mandate told a merchant: its usage event, and the row of its log beside it (docs/spec/billing.md,
-- Meters).
CREATE TABLE "verification" (
  "merchant_id" text NOT NULL,
  -- business time, which the id carries
  "time" timestamptz(3) NOT NULL,
  "id" text NOT NULL,
  "client_id" text NOT NULL,
  -- null where the merchant was told of no mandate
  "mandate_id" text,
  PRIMARY KEY ("merchant_id", "time", "id")
) PARTITION BY RANGE ("time");
CREATE TABLE "verification_default" PARTITION OF "verification" DEFAULT;
SELECT "ensure_partitions"('verification', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- How many of them each minute has, written with them: a count of a period reads its minutes. Minutes, since a row that is
-- updated while a long transaction looks on grows slow with each of its versions.
CREATE TABLE "verification_minute" (
  "merchant_id" text NOT NULL,
  "minute" timestamptz(3) NOT NULL,
  -- Two statements at once hardly ever count in the same lane, where one would wait for the other's commit.
  "lane" integer NOT NULL,
  "count" bigint NOT NULL,
  PRIMARY KEY ("merchant_id", "minute", "lane")
) PARTITION BY RANGE ("minute");
CREATE TABLE "verification_minute_default" PARTITION OF "verification_minute" DEFAULT;
SELECT "ensure_partitions"('verification_minute', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- What was answered, for 30 days (docs/spec/operations.md, Data retention: API logs).
CREATE TABLE "verification_log" (
  "merchant_id" text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  "id" text NOT NULL,
  -- the first of the verdict's reasons; null: it was valid
  "reason" text,
  "request_id" text NOT NULL,
  PRIMARY KEY ("merchant_id", "time", "id")
) PARTITION BY RANGE ("time");
CREATE TABLE "verification_log_default" PARTITION OF "verification_log" DEFAULT;
SELECT "ensure_partitions"('verification_log', date_trunc('day', now(), 'UTC'), '1 day', 3);
