-- Why a merchant gives money back, and what it keeps beside that. Refunds made at the processor itself have neither.
ALTER TABLE "refund" ADD COLUMN "reason" text
  CHECK ("reason" IN ('duplicate', 'fraudulent', 'requested_by_customer', 'other'));
ALTER TABLE "refund" ADD COLUMN "metadata" jsonb NOT NULL DEFAULT '{}';

-- Lists of a merchant's charges by status and by reference, and of its disputes. Without them a page reads all that the
-- merchant ever charged where few rows match; by mandate and by time other indexes serve.
CREATE INDEX "charge_merchant_id_state_created_at_id_idx" ON "charge" ("merchant_id", "state", "created_at", "id");
CREATE INDEX "charge_merchant_reference" ON "charge" ("merchant_id", "reference", "created_at", "id") WHERE "reference" IS NOT NULL;
CREATE INDEX "dispute_merchant" ON "dispute" ("merchant_id", "created_at", "id");
