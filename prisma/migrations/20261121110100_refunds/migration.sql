-- What is being given back counts like what was: together never above what was captured.
ALTER TABLE "charge" ADD COLUMN "amount_refunding" bigint NOT NULL DEFAULT 0;
ALTER TABLE "charge" ADD CONSTRAINT "charge_refunds" CHECK ("amount_refunding" >= 0 AND "amount_refunded" + "amount_refunding" <= "amount_captured");

-- By month, as charges; the id carries the instant.
CREATE TABLE "refund" (
  "id" text NOT NULL,
  "charge_id" text NOT NULL,
  "merchant_id" text NOT NULL,
  "mandate_id" text NOT NULL,
  "merchant_client_id" text NOT NULL,
  "amount" bigint NOT NULL CHECK ("amount" > 0),
  "status" text NOT NULL CHECK ("status" IN ('pending', 'succeeded', 'failed')),
  "refund_ref" text,
  "failure_code" text,
  "created_at" timestamptz(3) NOT NULL,
  "updated_at" timestamptz(3) NOT NULL,
  "lease_until" timestamptz(3),
  "next_lookup_at" timestamptz(3),
  "lookups" int NOT NULL DEFAULT 0,
  PRIMARY KEY ("id", "created_at"),
  CONSTRAINT "refund_followed_up" CHECK (("status" = 'pending') = ("next_lookup_at" IS NOT NULL))
) PARTITION BY RANGE ("created_at");
CREATE TABLE "refund_default" PARTITION OF "refund" DEFAULT;
SELECT "ensure_partitions"('refund', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX "refund_charge" ON "refund" ("charge_id", "created_at", "id");
CREATE INDEX "refund_due" ON "refund" ("next_lookup_at") WHERE "next_lookup_at" IS NOT NULL;

-- A charge may have several refunds under way, each with a key of its own.
ALTER TABLE "idempotency_key" ADD COLUMN "refund_id" text;
