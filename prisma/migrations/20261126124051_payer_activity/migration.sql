-- The wallet's activity by merchant and by state. Without them, a filter that matches few charges reads all charges of
-- the payer.
CREATE INDEX charge_payer_id_merchant_id_created_at_id_idx ON charge (payer_id, merchant_id, created_at, id);
CREATE INDEX charge_payer_id_state_created_at_id_idx ON charge (payer_id, state, created_at, id);
