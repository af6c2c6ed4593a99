-- An answer is kept from the instant that there is one, however long its charge or refund took to come to its end. Of those
-- before, it is unknown.
ALTER TABLE "idempotency_key" ADD COLUMN "answered_at" timestamptz(3);
