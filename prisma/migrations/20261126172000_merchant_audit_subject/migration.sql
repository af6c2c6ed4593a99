-- For a merchant's audit log: recorded usage also has the merchant as its subject, and is most of those entries.
CREATE INDEX IF NOT EXISTS audit_entry_merchant_subject ON audit_entry (subject_id, at, seq) WHERE action LIKE 'merchant.%';
