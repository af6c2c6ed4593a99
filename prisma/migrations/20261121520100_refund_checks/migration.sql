-- What was given back may fail for a month: asked for again on certain days, whoever tells of it or doesn't.
ALTER TABLE "refund" ADD COLUMN "next_check_at" timestamptz(3);
ALTER TABLE "refund" ADD CONSTRAINT "refund_checked" CHECK ("next_check_at" IS NULL OR "status" = 'succeeded');
CREATE INDEX "refund_check_due" ON "refund" ("next_check_at") WHERE "next_check_at" IS NOT NULL;
