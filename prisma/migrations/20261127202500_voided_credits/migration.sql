-- The line of a void invoice whose credit this line repeats: refunded fees, or a negative correction of late usage.
ALTER TABLE billing_invoice_line ADD COLUMN replaces text REFERENCES billing_invoice_line (id) ON UPDATE CASCADE;
CREATE INDEX billing_invoice_line_replaces ON billing_invoice_line (replaces) WHERE replaces IS NOT NULL;
