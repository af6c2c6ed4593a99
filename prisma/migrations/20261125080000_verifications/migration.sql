-- What verify-mandate told a merchant: its usage event and the row of its log at once (2-payments, Performance).
CREATE TABLE "verification" (
  "merchant_id" text NOT NULL,
  -- business time, which the id carries
  "time" timestamptz(3) NOT NULL,
  "id" text NOT NULL,
  "client_id" text NOT NULL,
  -- null where the merchant was told of no mandate
  "mandate_id" text,
  -- the first of the verdict's reasons; null: it was valid
  "reason" text,
  "request_id" text NOT NULL,
  PRIMARY KEY ("merchant_id", "time", "id")
) PARTITION BY RANGE ("time");
CREATE TABLE "verification_default" PARTITION OF "verification" DEFAULT;
SELECT "ensure_partitions"('verification', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- How many of them each hour (UTC) has, written with them: a count of a period reads its hours.
CREATE TABLE "verification_hour" (
  "merchant_id" text NOT NULL,
  "hour" timestamptz(3) NOT NULL,
  -- Connections count in lanes of their own, so that none waits for another's commit.
  "lane" integer NOT NULL,
  "count" bigint NOT NULL,
  PRIMARY KEY ("merchant_id", "hour", "lane")
) PARTITION BY RANGE ("hour");
CREATE TABLE "verification_hour_default" PARTITION OF "verification_hour" DEFAULT;
SELECT "ensure_partitions"('verification_hour', date_trunc('month', now(), 'UTC'), '1 month', 3);
