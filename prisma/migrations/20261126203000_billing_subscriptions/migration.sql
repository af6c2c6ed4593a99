-- Subscriptions of merchants to plans, and their periods (docs/spec/billing.md, Subscriptions).

-- Lets an exclusion constraint compare text. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE billing_subscription (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id),
  plan_id text COLLATE "C" NOT NULL,
  plan_version integer NOT NULL,
  -- in which flat fees, minimums and meters without a currency are priced
  currency char(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'past_due', 'suspended', 'cancelled')),
  -- The nth period starts on this day plus n intervals, clamped to its month.
  anchor_date date NOT NULL,
  interval text NOT NULL CHECK (interval IN ('month', 'quarter', 'year')),
  -- fixed when the subscription starts
  time_zone text NOT NULL,
  trial_ends_at timestamptz(3),
  cancel_at timestamptz(3),
  ended_at timestamptz(3),
  -- increases with each change
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  FOREIGN KEY (plan_id, plan_version) REFERENCES billing_plan_version (plan_id, version),
  CONSTRAINT billing_subscription_ended CHECK ((status = 'cancelled') = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX billing_subscription_current ON billing_subscription (merchant_id) WHERE ended_at IS NULL;
CREATE INDEX billing_subscription_merchant ON billing_subscription (merchant_id, created_at);
CREATE INDEX billing_subscription_plan ON billing_subscription (plan_id, plan_version) WHERE ended_at IS NULL;

-- A part of a subscription with one plan. Each part has its own invoices. A change of plan during a period divides it.
CREATE TABLE billing_period (
  subscription_id text NOT NULL REFERENCES billing_subscription (id),
  -- `late` follows the end of a subscription, and bills only events that arrive afterwards
  kind text NOT NULL CHECK (kind IN ('regular', 'late')),
  "from" timestamptz(3) NOT NULL,
  "to" timestamptz(3) NOT NULL,
  -- the undivided period: the denominator of proration
  whole_from timestamptz(3) NOT NULL,
  whole_to timestamptz(3) NOT NULL,
  -- number of the undivided period from the anchor
  number integer NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  plan_version integer NOT NULL,
  currency char(3) NOT NULL,
  -- `open` until its end, `draft` until its invoices are finalised
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'draft', 'final')),
  -- business time of the next step
  due_at timestamptz(3),
  -- real time of the next attempt, and why the last one couldn't finalise
  retry_at timestamptz(3),
  hold text,
  -- Events that were received before this time are on the period's own invoices.
  cut_off_at timestamptz(3),
  PRIMARY KEY (subscription_id, kind, "from"),
  FOREIGN KEY (plan_id, plan_version) REFERENCES billing_plan_version (plan_id, version),
  CONSTRAINT billing_period_order CHECK ("from" < "to" AND whole_from <= "from" AND "to" <= whole_to),
  CONSTRAINT billing_period_due CHECK ((state = 'final') = (due_at IS NULL)),
  CONSTRAINT billing_period_cut_off CHECK ((state = 'final') = (cut_off_at IS NOT NULL)),
  CONSTRAINT billing_period_overlap EXCLUDE USING gist
    (subscription_id WITH =, kind WITH =, tstzrange("from", "to") WITH &&)
);
CREATE INDEX billing_period_due_at ON billing_period (due_at) WHERE due_at IS NOT NULL;

-- A change of plan at the end of the current period: at most one for each subscription.
CREATE TABLE billing_pending_change (
  subscription_id text PRIMARY KEY REFERENCES billing_subscription (id),
  plan_id text COLLATE "C" NOT NULL,
  plan_version integer NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  FOREIGN KEY (plan_id, plan_version) REFERENCES billing_plan_version (plan_id, version)
);

CREATE TABLE billing_applied_coupon (
  id text PRIMARY KEY,
  subscription_id text NOT NULL REFERENCES billing_subscription (id),
  code text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  applied_at timestamptz(3) NOT NULL,
  -- null: without an end
  ends_at timestamptz(3),
  UNIQUE (subscription_id, code),
  FOREIGN KEY (code, version) REFERENCES billing_coupon_version (code, version)
);

-- Refunds take back the fee of their charge.
CREATE INDEX IF NOT EXISTS refund_merchant_given ON refund (merchant_id, given_at) WHERE given_at IS NOT NULL;
