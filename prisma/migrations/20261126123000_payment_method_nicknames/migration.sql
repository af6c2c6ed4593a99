-- A name that the payer chooses for a payment method (docs/spec/portal.md, Payment methods).
ALTER TABLE payment_method ADD COLUMN nickname text;
