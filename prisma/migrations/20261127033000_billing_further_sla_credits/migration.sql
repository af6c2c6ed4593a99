-- Further SLA credits, which operators add (docs/spec/billing.md, SLA credits).

-- Of a further credit: the share of the meter's fee, so that a later refund doesn't give it back again.
ALTER TABLE billing_sla_credit DROP CONSTRAINT billing_sla_credit_percent_check;
ALTER TABLE billing_sla_credit ALTER COLUMN percent TYPE numeric;
ALTER TABLE billing_sla_credit
  ADD CONSTRAINT billing_sla_credit_percent CHECK (percent >= 0 AND percent <= 100 AND scale(percent) <= 12);

-- What an operator requested. The rows of billing_sla_credit divide the amount among the meters of the component.
CREATE TABLE billing_further_sla_credit (
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  -- a repeated request has the same key and adds nothing
  key text COLLATE "C" NOT NULL,
  month date NOT NULL,
  component text COLLATE "C" NOT NULL,
  currency char(3) NOT NULL,
  -- exact amount in minor units
  exact numeric NOT NULL CHECK (exact > 0 AND scale(exact) <= 12),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, key)
);
CREATE TRIGGER billing_further_sla_credit_append_only BEFORE UPDATE OR DELETE ON billing_further_sla_credit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_further_sla_credit_keep BEFORE TRUNCATE ON billing_further_sla_credit EXECUTE FUNCTION refuse_change();
