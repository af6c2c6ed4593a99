-- Fees of refunds that failed after they succeeded are charged again.
CREATE INDEX IF NOT EXISTS refund_merchant_failed ON refund (merchant_id, updated_at)
  WHERE status = 'failed' AND given_at IS NOT NULL;
