-- Until when the usage that a merchant's requests recorded is on its invoices. Later events never have an earlier time of
-- receipt, so the events of a final invoice don't change.
CREATE TABLE billing_usage_cut_off (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE CASCADE,
  cut_off_at timestamptz(3) NOT NULL
);
