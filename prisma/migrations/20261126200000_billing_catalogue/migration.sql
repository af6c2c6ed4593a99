-- The catalogue: plans, coupons and tax rates as code (docs/spec/billing.md, Catalogue). Ids are compared as bytes, so
-- that every database lists them in the same order. A definition is json, not jsonb: it keeps the order of its
-- currencies and meters, which is the order of the lines on an invoice.

CREATE TABLE billing_plan (
  id text COLLATE "C" PRIMARY KEY,
  -- accepts no new subscriptions
  retired boolean NOT NULL DEFAULT false,
  -- subscriptions on an earlier version move to this version at the start of their next period; null: they stay
  migrates_to integer
);

CREATE TABLE billing_plan_version (
  plan_id text COLLATE "C" NOT NULL REFERENCES billing_plan (id),
  version integer NOT NULL,
  -- a day of the business clock, in UTC
  effective_from date NOT NULL,
  is_public boolean NOT NULL,
  -- SHA-256 of the canonical definition, hex
  hash text NOT NULL,
  definition json NOT NULL,
  applied_at timestamptz(3) NOT NULL,
  PRIMARY KEY (plan_id, version),
  CONSTRAINT billing_plan_version_from_1 CHECK (version >= 1)
);
ALTER TABLE billing_plan ADD CONSTRAINT billing_plan_migrates_to
  FOREIGN KEY (id, migrates_to) REFERENCES billing_plan_version (plan_id, version);

-- The newest version of a coupon or tax rate applies.
CREATE TABLE billing_coupon_version (
  code text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  hash text NOT NULL,
  definition json NOT NULL,
  applied_at timestamptz(3) NOT NULL,
  PRIMARY KEY (code, version),
  CONSTRAINT billing_coupon_version_from_1 CHECK (version >= 1)
);

CREATE TABLE billing_tax_rate_version (
  key text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  hash text NOT NULL,
  definition json NOT NULL,
  applied_at timestamptz(3) NOT NULL,
  PRIMARY KEY (key, version),
  CONSTRAINT billing_tax_rate_version_from_1 CHECK (version >= 1)
);

-- Invoices refer to versions: a version never changes, and none is removed.
CREATE TRIGGER billing_plan_version_append_only BEFORE UPDATE OR DELETE ON billing_plan_version
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_plan_version_keep BEFORE TRUNCATE ON billing_plan_version EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_coupon_version_append_only BEFORE UPDATE OR DELETE ON billing_coupon_version
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_coupon_version_keep BEFORE TRUNCATE ON billing_coupon_version EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_tax_rate_version_append_only BEFORE UPDATE OR DELETE ON billing_tax_rate_version
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_tax_rate_version_keep BEFORE TRUNCATE ON billing_tax_rate_version
  EXECUTE FUNCTION refuse_change();
