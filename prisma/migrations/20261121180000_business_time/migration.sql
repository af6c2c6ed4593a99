-- Approvals and authorizations end by business time, look-ups and leases by real time: each has a column of its own.
ALTER TABLE "charge" ADD COLUMN "expires_at" timestamptz(3);
UPDATE "charge" SET "expires_at" = "next_lookup_at", "next_lookup_at" = NULL
  WHERE ("state" = 'requires_action' AND "submitted_at" IS NULL) OR ("state" = 'authorized' AND "pending_act" IS NULL);
UPDATE "charge" SET "expires_at" = "submitted_at" + interval '7 days' WHERE "state" = 'authorized' AND "expires_at" IS NULL;
CREATE INDEX "charge_expiring" ON "charge" ("expires_at") WHERE "expires_at" IS NOT NULL;
