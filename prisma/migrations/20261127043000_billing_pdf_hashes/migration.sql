-- Issued documents whose PDF hash isn't stored yet (docs/spec/billing.md, Documents). The oldest is drawn first.
CREATE INDEX billing_invoice_undrawn ON billing_invoice (issued_at, id) WHERE pdf_sha256 IS NULL AND status <> 'draft';
