-- The keys of one charge, by all that is asked of them: by the charge alone PostgreSQL went through the merchant's whole
-- history by the primary key wherever a partition had no statistics yet (docs/spec/payments.md, Idempotency).
CREATE INDEX "idempotency_key_charge_route" ON "idempotency_key" ("charge_id", "merchant_id", "route");
DROP INDEX "idempotency_key_charge";
ALTER INDEX "idempotency_key_charge_route" RENAME TO "idempotency_key_charge";
