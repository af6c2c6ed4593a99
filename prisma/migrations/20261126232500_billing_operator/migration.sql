-- Operators' pages of billing (docs/spec/billing.md, Operator pages): lists over all merchants, dunning, revenue.

-- Lists are ordered by the time of issue, drafts by the time at which they were made. Each filter has its index, so that
-- a page doesn't read the invoices of others.
CREATE INDEX billing_invoice_listed ON billing_invoice (coalesce(issued_at, created_at), id);
CREATE INDEX billing_invoice_listed_status ON billing_invoice (status, coalesce(issued_at, created_at), id);
CREATE INDEX billing_invoice_listed_currency ON billing_invoice (currency, coalesce(issued_at, created_at), id);
CREATE INDEX billing_invoice_listed_merchant ON billing_invoice (merchant_id, coalesce(issued_at, created_at), id);
CREATE INDEX billing_invoice_listed_notes ON billing_invoice (coalesce(issued_at, created_at), id) WHERE type = 'credit_note';
-- Drafts that wait for the merchant's tax details.
CREATE INDEX billing_invoice_tax_awaited ON billing_invoice (tax_awaited_since, id)
  WHERE status = 'draft' AND tax_decided_at IS NULL AND tax_awaited_since IS NOT NULL;
-- Attempts whose outcome isn't known, by real time.
CREATE INDEX billing_payment_pending ON billing_payment (started_at, id) WHERE state = 'pending';

-- When the invoice stopped being open: a list of open cases doesn't read closed ones.
ALTER TABLE billing_collection ADD COLUMN closed_at timestamptz(3);
UPDATE billing_collection c SET closed_at = i.closed_at FROM billing_invoice i WHERE i.id = c.invoice_id AND i.status <> 'open';
CREATE INDEX billing_collection_open ON billing_collection (least(first_failed_at, overdue_at), invoice_id)
  WHERE closed_at IS NULL AND (first_failed_at IS NOT NULL OR overdue_at IS NOT NULL);

CREATE OR REPLACE FUNCTION collect_billing_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type <> 'invoice' THEN RETURN NULL; END IF;
  IF NEW.status = 'open' THEN
    INSERT INTO billing_collection (invoice_id, merchant_id, due_at, attempt_at)
    VALUES (NEW.id, NEW.merchant_id, NEW.issued_at, NEW.issued_at) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE billing_collection SET due_at = NEW.closed_at, attempt_at = NULL, hold = NULL, closed_at = NEW.closed_at
     WHERE invoice_id = NEW.id AND NEW.closed_at IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

-- A removed or expired coupon may be applied again.
ALTER TABLE billing_applied_coupon DROP CONSTRAINT billing_applied_coupon_subscription_id_code_key;
ALTER TABLE billing_applied_coupon ADD CONSTRAINT billing_applied_coupon_once EXCLUDE USING gist
  (subscription_id WITH =, code WITH =, tstzrange(applied_at, ends_at) WITH &&);

-- Sums of what was invoiced, without tax: per month of issue (UTC), currency, plan and item. They are written in the
-- transactions that issue and void, so that charts don't read the history.
CREATE TABLE billing_revenue (
  month date NOT NULL,
  currency character(3) NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  -- the meter of the lines, or their kind if they have none
  item text COLLATE "C" NOT NULL,
  net numeric NOT NULL,
  PRIMARY KEY (month, currency, plan_id, item)
);
INSERT INTO billing_revenue (month, currency, plan_id, item, net)
SELECT date_trunc('month', s.at AT TIME ZONE 'UTC')::date, s.currency, s.plan_id, s.item, sum(s.net) FROM (
  SELECT i.issued_at AS at, i.currency, coalesce(l.plan_id, i.plan_id) AS plan_id, coalesce(l.meter, l.kind) AS item,
         CASE i.type WHEN 'credit_note' THEN -l.net ELSE l.net END AS net
    FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id WHERE i.status <> 'draft'
  UNION ALL
  SELECT i.closed_at, i.currency, coalesce(l.plan_id, i.plan_id), coalesce(l.meter, l.kind), -l.net
    FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id WHERE i.status = 'void'
) s GROUP BY 1, 2, 3, 4;
