-- The keys of one charge, by all that is asked of them: by the charge alone PostgreSQL went through the merchant's whole
-- history by the primary key wherever a partition had no statistics yet (2-payments, Idempotency).
DROP INDEX "idempotency_key_charge";
CREATE INDEX "idempotency_key_charge" ON "idempotency_key" ("charge_id", "merchant_id", "route");
