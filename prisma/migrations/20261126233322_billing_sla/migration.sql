-- SLA credits (docs/spec/billing.md, SLA credits).

-- When the next month's credits are computed, in business time, and the real time of the next attempt. The default is
-- for workers of the version before this migration.
ALTER TABLE billing_subscription
  ADD COLUMN sla_due_at timestamptz(3)
    DEFAULT ((date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month 2 days') AT TIME ZONE 'UTC'),
  ADD COLUMN sla_retry_at timestamptz(3);
UPDATE billing_subscription SET sla_due_at = NULL WHERE ended_at < date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
CREATE INDEX billing_subscription_sla_due ON billing_subscription (sla_due_at) WHERE sla_due_at IS NOT NULL;

-- A component's uptime in a UTC month, computed once from its frozen days.
CREATE TABLE billing_sla_figure (
  month date NOT NULL,
  component text COLLATE "C" NOT NULL,
  -- the component's name
  title text NOT NULL,
  -- percent, rounded down; unknown time beyond 10 minutes counts as down
  uptime numeric(6, 3) NOT NULL,
  -- percent of the month's fees
  credit_percent integer NOT NULL CHECK (credit_percent IN (0, 10, 25, 50)),
  -- of the last frozen day of the month, which the hash chain ties to all days before it
  day_hash text NOT NULL,
  -- address of the status page's month
  page text NOT NULL,
  computed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (month, component)
);
CREATE TRIGGER billing_sla_figure_append_only BEFORE UPDATE OR DELETE ON billing_sla_figure
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_sla_figure_keep BEFORE TRUNCATE ON billing_sla_figure EXECUTE FUNCTION refuse_change();

-- What a subscription gets back of a meter's fee in one month.
CREATE TABLE billing_sla_credit (
  subscription_id text NOT NULL REFERENCES billing_subscription (id),
  month date NOT NULL,
  component text COLLATE "C" NOT NULL,
  currency char(3) NOT NULL,
  meter text COLLATE "C" NOT NULL,
  -- of the billing period with the fee
  period_from timestamptz(3) NOT NULL,
  -- 1, and more for further credits
  number integer NOT NULL,
  percent integer NOT NULL CHECK (percent > 0 AND percent <= 100),
  -- exact amounts in minor units
  fee numeric NOT NULL,
  exact numeric NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- the final invoice with the credit; null: the next one has it
  invoice_id text REFERENCES billing_invoice (id) ON UPDATE CASCADE,
  PRIMARY KEY (subscription_id, month, component, currency, meter, period_from, number),
  FOREIGN KEY (month, component) REFERENCES billing_sla_figure (month, component),
  CONSTRAINT billing_sla_credit_exact CHECK (exact > 0 AND exact <= fee AND scale(exact) <= 12 AND scale(fee) <= 12)
);
CREATE INDEX billing_sla_credit_waiting ON billing_sla_credit (subscription_id) WHERE invoice_id IS NULL;
CREATE INDEX billing_sla_credit_invoice ON billing_sla_credit (invoice_id) WHERE invoice_id IS NOT NULL;

-- Only the invoice changes: a void invoice gives its credits back to the next one.
CREATE FUNCTION guard_billing_sla_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'invoice_id' IS DISTINCT FROM to_jsonb(OLD) - 'invoice_id'
     OR (OLD.invoice_id IS NOT NULL AND NEW.invoice_id IS NOT NULL AND NEW.invoice_id <> OLD.invoice_id) THEN
    RAISE EXCEPTION 'an SLA credit never changes: add a further credit' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_sla_credit_fixed BEFORE UPDATE ON billing_sla_credit FOR EACH ROW EXECUTE FUNCTION guard_billing_sla_credit();
CREATE TRIGGER billing_sla_credit_remains BEFORE DELETE ON billing_sla_credit FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_sla_credit_keep BEFORE TRUNCATE ON billing_sla_credit EXECUTE FUNCTION refuse_change();
