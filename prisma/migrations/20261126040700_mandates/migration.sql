-- Mandates and their budgets.

CREATE TYPE mandate_state AS ENUM ('pending', 'active', 'rejected', 'suspended', 'revoked', 'expired', 'consumed');

-- Every charge updates the counters of a mandate and its periods. With half of each page free, these updates stay out
-- of the indexes (heap-only tuples).
CREATE TABLE mandate (
  id text PRIMARY KEY,
  grant_id text NOT NULL REFERENCES "grant" (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  client_id text NOT NULL REFERENCES client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  payer_id text NOT NULL REFERENCES account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  payment_method_id text REFERENCES payment_method (id) ON UPDATE CASCADE ON DELETE SET NULL,
  state mandate_state NOT NULL,
  version integer NOT NULL DEFAULT 1,
  suspended_by text[],
  details jsonb NOT NULL,
  actions text[],
  currency char(3) NOT NULL,
  max_amount_per_payment bigint,
  max_total_amount bigint,
  max_payments bigint,
  periodic_limits jsonb NOT NULL,
  time_zone text NOT NULL,
  payee_merchant_ids text[],
  payee_categories text[],
  valid_from timestamptz(3) NOT NULL,
  valid_until timestamptz(3) NOT NULL,
  payer_presence text[],
  step_up_above bigint,
  refund_policy text NOT NULL,
  purpose text NOT NULL DEFAULT '',
  budget_visible boolean NOT NULL DEFAULT false,
  used_amount bigint NOT NULL DEFAULT 0,
  held_amount bigint NOT NULL DEFAULT 0,
  used_count bigint NOT NULL DEFAULT 0,
  held_count bigint NOT NULL DEFAULT 0,
  approval_mails_at timestamptz(3)[],
  consented_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT mandate_counters CHECK (
    used_amount >= 0 AND held_amount >= 0 AND used_count >= 0 AND held_count >= 0
  ),
  CONSTRAINT mandate_window CHECK (valid_from < valid_until),
  CONSTRAINT mandate_suspension CHECK (state <> 'suspended' OR cardinality(suspended_by) > 0)
) WITH (fillfactor = 50);
CREATE INDEX mandate_payer_id_state_idx ON mandate (payer_id, state);
CREATE INDEX mandate_grant_id_idx ON mandate (grant_id);
CREATE INDEX mandate_client_id_idx ON mandate (client_id);
CREATE INDEX mandate_valid_until_idx ON mandate (valid_until);
-- Mandates that are due to expire.
CREATE INDEX mandate_due ON mandate (valid_until) WHERE state IN ('active', 'suspended');
CREATE INDEX mandate_payees ON mandate USING gin (payee_merchant_ids);
-- The wallet lists a payer's mandates, newest first.
CREATE INDEX mandate_payer_id_created_at_id_idx ON mandate (payer_id, created_at, id);

-- The counters of one periodic limit in one period.
CREATE TABLE mandate_period (
  mandate_id text NOT NULL REFERENCES mandate (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  limit_key text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  used_amount bigint NOT NULL DEFAULT 0,
  held_amount bigint NOT NULL DEFAULT 0,
  used_count bigint NOT NULL DEFAULT 0,
  held_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (mandate_id, limit_key, starts_at),
  CONSTRAINT mandate_period_counters CHECK (
    used_amount >= 0 AND held_amount >= 0 AND used_count >= 0 AND held_count >= 0
  ),
  CONSTRAINT mandate_period_window CHECK (starts_at < ends_at)
) WITH (fillfactor = 50);
