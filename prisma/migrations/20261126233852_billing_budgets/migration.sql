-- Budget alerts (docs/spec/billing.md, Budget alerts): each fires once per period when the period's cost reaches it.
CREATE TABLE billing_budget_alert (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  name text NOT NULL,
  currency character(3) NOT NULL,
  -- the amount that is reached, or with a percentage the budget of a period
  amount bigint NOT NULL,
  percent integer,
  sends_mail boolean NOT NULL,
  sends_webhook boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT billing_budget_alert_amount CHECK (amount > 0),
  CONSTRAINT billing_budget_alert_percent CHECK (percent BETWEEN 1 AND 1000),
  CONSTRAINT billing_budget_alert_channel CHECK (sends_mail OR sends_webhook),
  -- A second one would only repeat the first.
  CONSTRAINT billing_budget_alert_once UNIQUE NULLS NOT DISTINCT (merchant_id, currency, amount, percent)
);
CREATE INDEX billing_budget_alert_merchant ON billing_budget_alert (merchant_id, created_at, id);

-- An alert fires once per period, however many workers check it.
CREATE TABLE billing_budget_firing (
  alert_id text NOT NULL REFERENCES billing_budget_alert (id) ON UPDATE CASCADE ON DELETE CASCADE,
  period_from timestamptz(3) NOT NULL,
  period_to timestamptz(3) NOT NULL,
  spent bigint NOT NULL,
  fired_at timestamptz(3) NOT NULL,
  PRIMARY KEY (alert_id, period_from)
);

-- When the budgets of a merchant are checked next, in business time. A merchant has a row from its first alert on.
CREATE TABLE billing_budget_check (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON UPDATE CASCADE,
  due_at timestamptz(3) NOT NULL
);
CREATE INDEX billing_budget_check_due ON billing_budget_check (due_at);
