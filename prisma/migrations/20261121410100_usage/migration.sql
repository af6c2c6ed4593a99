-- What a merchant used is counted by when its charges came to their ends (GET /billing/usage).
CREATE INDEX "charge_merchant_id_final_at_id_idx" ON "charge" ("merchant_id", "final_at", "id") WHERE "final_at" IS NOT NULL;
