-- By month, as charges; the id carries the instant. Who writes one holds its charge's row, so that each is written once.
CREATE TABLE "dispute" (
  "id" text NOT NULL,
  "charge_id" text NOT NULL,
  "merchant_id" text NOT NULL,
  "mandate_id" text NOT NULL,
  "status" text NOT NULL CHECK ("status" IN ('open', 'won', 'lost')),
  "amount" bigint NOT NULL CHECK ("amount" > 0),
  "currency" char(3) NOT NULL,
  "reason" text NOT NULL,
  "dispute_ref" text NOT NULL,
  "created_at" timestamptz(3) NOT NULL,
  "closed_at" timestamptz(3),
  "next_lookup_at" timestamptz(3),
  PRIMARY KEY ("id", "created_at"),
  CONSTRAINT "dispute_closed" CHECK (("status" = 'open') = ("closed_at" IS NULL)),
  CONSTRAINT "dispute_followed_up" CHECK (("status" = 'open') = ("next_lookup_at" IS NOT NULL))
) PARTITION BY RANGE ("created_at");
CREATE TABLE "dispute_default" PARTITION OF "dispute" DEFAULT;
SELECT "ensure_partitions"('dispute', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX "dispute_charge" ON "dispute" ("charge_id");
CREATE INDEX "dispute_due" ON "dispute" ("next_lookup_at") WHERE "next_lookup_at" IS NOT NULL;
