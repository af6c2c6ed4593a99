-- What VIES says about a merchant's VAT number. `due_at` is real time; null: nothing is left to check.
CREATE TABLE billing_vat_check (
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  vat_number text NOT NULL,
  result text,
  checked_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  PRIMARY KEY (merchant_id, vat_number),
  CONSTRAINT billing_vat_check_result CHECK (result IN ('valid', 'invalid', 'unavailable'))
);
CREATE INDEX billing_vat_check_due ON billing_vat_check (due_at) WHERE due_at IS NOT NULL;
