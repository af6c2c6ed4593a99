-- Sums of captured charges by UTC day of their capture, written by the daily reconciliation, so that the usage of a
-- period is counted without reading each of its charges (docs/spec/billing.md, Meters).
CREATE TABLE charge_amount_day (
  merchant_id text NOT NULL,
  currency char(3) NOT NULL,
  -- the start of the day
  day timestamptz(3) NOT NULL,
  -- captured, in minor units
  amount bigint NOT NULL,
  -- charges with this amount
  count bigint NOT NULL,
  PRIMARY KEY (merchant_id, currency, day, amount)
) PARTITION BY RANGE (day);
CREATE TABLE charge_amount_day_default PARTITION OF charge_amount_day DEFAULT;
SELECT ensure_partitions('charge_amount_day', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);

-- The mandates that were charged on a day.
CREATE TABLE charge_mandate_day (
  merchant_id text NOT NULL,
  day timestamptz(3) NOT NULL,
  mandate_id text NOT NULL,
  -- capture of the mandate's first charge of the day
  first_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, day, mandate_id)
) PARTITION BY RANGE (day);
CREATE TABLE charge_mandate_day_default PARTITION OF charge_mandate_day DEFAULT;
SELECT ensure_partitions('charge_mandate_day', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);

-- Days that were reconciled before these tables existed.
CREATE TEMP TABLE counted ON COMMIT DROP AS
SELECT c.merchant_id, c.currency, r.day, c.amount_captured, c.mandate_id, c.final_at
  FROM charge c JOIN meter_reconciliation_day r ON r.day = date_trunc('day', c.final_at, 'UTC')
 WHERE c.state IN ('succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed');
INSERT INTO charge_amount_day (merchant_id, currency, day, amount, count)
SELECT merchant_id, currency, day, amount_captured, count(*) FROM counted GROUP BY 1, 2, 3, 4;
INSERT INTO charge_mandate_day (merchant_id, day, mandate_id, first_at)
SELECT merchant_id, day, mandate_id, min(final_at) FROM counted GROUP BY 1, 2, 3;
DROP TABLE counted;
