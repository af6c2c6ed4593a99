-- Sums of charges by merchant and quarter of an hour, so that the merchant's overview doesn't read each charge
-- (docs/spec/portal.md, Merchant dashboard). All zones differ from UTC by a multiple of 15 minutes.
CREATE TABLE charge_sum (
  merchant_id text NOT NULL,
  slot timestamptz(3) NOT NULL,
  state charge_state NOT NULL,
  currency char(3) NOT NULL,
  decline_code text NOT NULL,
  count integer NOT NULL,
  captured bigint NOT NULL,
  refunded bigint NOT NULL,
  PRIMARY KEY (merchant_id, slot, state, currency, decline_code)
);
-- Rows arrive in the order of their slots, nearly.
CREATE INDEX charge_sum_slot ON charge_sum USING brin (slot);

-- Slots whose charges changed since the last sum.
CREATE TABLE charge_sum_due (
  merchant_id text NOT NULL,
  slot timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, slot)
);
CREATE INDEX charge_sum_due_slot ON charge_sum_due (slot);

INSERT INTO charge_sum (merchant_id, slot, state, currency, decline_code, count, captured, refunded)
SELECT merchant_id, date_bin('15 minutes', created_at, 'epoch'), state, currency, coalesce(decline_code, ''),
       count(*), sum(amount_captured), sum(amount_refunded)
  FROM charge WHERE created_at > now() - interval '400 days' GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 1;
