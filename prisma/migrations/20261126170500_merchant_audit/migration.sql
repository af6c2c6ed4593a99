-- For a merchant's audit log: entries about objects of a merchant name it in their data. Refused charges also name it,
-- and are too many for a log that people read.
CREATE INDEX IF NOT EXISTS audit_entry_merchant ON audit_entry ((data ->> 'merchant_id'), at, seq)
  WHERE data ? 'merchant_id' AND action <> 'charge.refused';
-- Webhook endpoints belong to an owner, which may be a merchant.
CREATE INDEX IF NOT EXISTS audit_entry_owner ON audit_entry ((data ->> 'owner_id'), at, seq) WHERE data ? 'owner_id';
