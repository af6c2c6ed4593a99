-- Searches by the start of a reference. `text_pattern_ops` compares bytes, so references with the same start are
-- adjacent. These indexes also serve the conditions of the indexes that they replace.
CREATE INDEX IF NOT EXISTS charge_merchant_reference_prefix ON charge (merchant_id, reference text_pattern_ops, created_at, id)
  WHERE reference IS NOT NULL;
CREATE INDEX IF NOT EXISTS charge_reference_prefix ON charge (reference text_pattern_ops, created_at, id)
  WHERE reference IS NOT NULL;
DROP INDEX charge_merchant_reference;
DROP INDEX charge_reference;
