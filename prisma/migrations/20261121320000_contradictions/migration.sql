-- When a refund gave its amount back. It stays when the refund fails after all, and the amount counts as used again.
ALTER TABLE "refund" ADD COLUMN "given_at" timestamptz(3);
UPDATE "refund" SET "given_at" = "updated_at" WHERE "status" = 'succeeded';
ALTER TABLE "refund" ADD CONSTRAINT "refund_given" CHECK ("status" <> 'succeeded' OR "given_at" IS NOT NULL);

-- Where a processor says of money otherwise than the books, which can't follow it. An operator closes it.
CREATE TABLE "contradiction" (
    "id" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "processor_ref" TEXT NOT NULL,
    "told" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by" TEXT,

    CONSTRAINT "contradiction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "contradiction_about" CHECK ("about" IN ('payment', 'refund')),
    CONSTRAINT "contradiction_closed" CHECK (("closed_at" IS NULL) = ("closed_by" IS NULL))
);
-- Told again is no news.
CREATE UNIQUE INDEX "contradiction_charge_id_processor_ref_told_key" ON "contradiction"("charge_id", "processor_ref", "told");
CREATE INDEX "contradiction_open" ON "contradiction"("raised_at", "id") WHERE "closed_at" IS NULL;
