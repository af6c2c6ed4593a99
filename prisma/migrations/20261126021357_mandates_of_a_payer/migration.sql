-- The wallet pages through a payer's mandates, newest first.
CREATE INDEX "mandate_payer_id_created_at_id_idx" ON "mandate"("payer_id", "created_at", "id");
