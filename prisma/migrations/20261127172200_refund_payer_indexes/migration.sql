-- The valid constraint proves that no value is null, so no row is read.
ALTER TABLE refund ALTER COLUMN payer_id SET NOT NULL, ALTER COLUMN agent_client_id SET NOT NULL;
ALTER TABLE refund DROP CONSTRAINT refund_payer;

-- The wallet's activity: all refunds, and those of a merchant, in a state, and of a mandate. Without them, a filter that
-- matches few refunds reads all refunds of the payer.
CREATE INDEX IF NOT EXISTS refund_payer_created ON refund (payer_id, created_at, id);
CREATE INDEX IF NOT EXISTS refund_payer_merchant ON refund (payer_id, merchant_id, created_at, id);
CREATE INDEX IF NOT EXISTS refund_payer_status ON refund (payer_id, status, created_at, id);
CREATE INDEX IF NOT EXISTS refund_mandate ON refund (mandate_id, created_at, id);
