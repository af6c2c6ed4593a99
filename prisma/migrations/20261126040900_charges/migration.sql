-- Charges, refunds and disputes, and the keys that make their requests idempotent.

CREATE TYPE charge_state AS ENUM (
  'reserved', 'requires_action', 'submitted', 'processing', 'unknown', 'authorized', 'succeeded', 'captured',
  'partially_captured', 'partially_refunded', 'refunded', 'declined', 'voided', 'expired', 'disputed'
);

-- Charges, refunds and disputes are partitioned by month. Their ids contain `created_at`.
CREATE TABLE charge (
  id text NOT NULL,
  merchant_id text NOT NULL,
  mandate_id text NOT NULL,
  mandate_version integer NOT NULL,
  merchant_client_id text NOT NULL,
  agent_client_id text NOT NULL,
  payer_id text NOT NULL,
  state charge_state NOT NULL,
  amount bigint NOT NULL,
  currency char(3) NOT NULL,
  amount_captured bigint NOT NULL DEFAULT 0,
  amount_refunded bigint NOT NULL DEFAULT 0,
  amount_refunding bigint NOT NULL DEFAULT 0,
  capture_method text NOT NULL,
  payer_presence text NOT NULL,
  reference text,
  transaction_id text,
  metadata jsonb NOT NULL,
  periods jsonb NOT NULL,
  processor text NOT NULL,
  processor_account text NOT NULL,
  payment_method_ref text NOT NULL,
  processor_ref text,
  decline_code text,
  decline jsonb,
  next_action jsonb,
  pending_act jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  approved_at timestamptz(3),
  submitted_at timestamptz(3),
  final_at timestamptz(3),
  lease_until timestamptz(3),
  next_lookup_at timestamptz(3),
  expires_at timestamptz(3),
  lookups integer NOT NULL DEFAULT 0,
  not_found_at timestamptz(3),
  PRIMARY KEY (id, created_at),
  CONSTRAINT charge_amounts CHECK (
    amount BETWEEN 1 AND 99999999999
    AND amount_captured BETWEEN 0 AND amount
    AND amount_refunded BETWEEN 0 AND amount_captured
  ),
  -- Pending refunds count like completed ones: together they never exceed the captured amount.
  CONSTRAINT charge_refunds CHECK (amount_refunding >= 0 AND amount_refunded + amount_refunding <= amount_captured),
  -- A capture or void is written before it is sent to the processor. A charge that waits for its payer can only be
  -- voided.
  CONSTRAINT charge_pending_act CHECK (pending_act IS NULL OR state IN ('authorized', 'requires_action')),
  -- An approval is written by the statement that submits the charge.
  CONSTRAINT charge_approved CHECK (approved_at IS NULL OR submitted_at IS NOT NULL)
) PARTITION BY RANGE (created_at);
CREATE TABLE charge_default PARTITION OF charge DEFAULT;
SELECT ensure_partitions('charge', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX charge_merchant_id_created_at_id_idx ON charge (merchant_id, created_at, id);
CREATE INDEX charge_mandate_id_created_at_idx ON charge (mandate_id, created_at);
CREATE INDEX charge_payer_id_created_at_id_idx ON charge (payer_id, created_at, id);
CREATE INDEX charge_due ON charge (next_lookup_at) WHERE next_lookup_at IS NOT NULL;
CREATE INDEX charge_unsubmitted ON charge (mandate_id) WHERE state IN ('reserved', 'requires_action');
-- Charges that an operator has to review (docs/spec/payments.md, Reconciliation). They are few, and listed for all
-- merchants.
CREATE INDEX charge_handed_over ON charge (created_at, id) WHERE state = 'unknown' AND next_lookup_at IS NULL;
CREATE INDEX charge_expiring ON charge (expires_at) WHERE expires_at IS NOT NULL;
-- Usage is counted by the time at which charges became final (GET /billing/usage).
CREATE INDEX charge_merchant_id_final_at_id_idx ON charge (merchant_id, final_at, id) WHERE final_at IS NOT NULL;
-- A processor's notification without our id finds its charge by the processor's id (docs/spec/payments.md, Processors).
CREATE INDEX charge_processor_ref ON charge (processor_ref) WHERE processor_ref IS NOT NULL;
-- Lists filtered by state or reference. Without these, a page with few matches reads all charges of the merchant.
CREATE INDEX charge_merchant_id_state_created_at_id_idx ON charge (merchant_id, state, created_at, id);
CREATE INDEX charge_merchant_reference ON charge (merchant_id, reference, created_at, id) WHERE reference IS NOT NULL;

CREATE TABLE refund (
  id text NOT NULL,
  charge_id text NOT NULL,
  merchant_id text NOT NULL,
  mandate_id text NOT NULL,
  merchant_client_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  -- null for a refund that was made at the processor
  reason text CHECK (reason IN ('duplicate', 'fraudulent', 'requested_by_customer', 'other')),
  metadata jsonb NOT NULL DEFAULT '{}',
  refund_ref text,
  failure_code text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- when the amount was first refunded; kept when the refund fails later and the amount counts as used again
  given_at timestamptz(3),
  lease_until timestamptz(3),
  next_lookup_at timestamptz(3),
  lookups integer NOT NULL DEFAULT 0,
  next_check_at timestamptz(3),
  PRIMARY KEY (id, created_at),
  CONSTRAINT refund_followed_up CHECK ((status = 'pending') = (next_lookup_at IS NOT NULL)),
  CONSTRAINT refund_given CHECK (status <> 'succeeded' OR given_at IS NOT NULL),
  -- A succeeded refund can still fail for a month, so it is looked up again on some days.
  CONSTRAINT refund_checked CHECK (next_check_at IS NULL OR status = 'succeeded')
) PARTITION BY RANGE (created_at);
CREATE TABLE refund_default PARTITION OF refund DEFAULT;
SELECT ensure_partitions('refund', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX refund_charge ON refund (charge_id, created_at, id);
CREATE INDEX refund_due ON refund (next_lookup_at) WHERE next_lookup_at IS NOT NULL;
CREATE INDEX refund_check_due ON refund (next_check_at) WHERE next_check_at IS NOT NULL;

-- A writer locks the charge's row first, so a dispute that the processor reports twice is written once.
CREATE TABLE dispute (
  id text NOT NULL,
  charge_id text NOT NULL,
  merchant_id text NOT NULL,
  mandate_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  amount bigint NOT NULL CHECK (amount > 0),
  currency char(3) NOT NULL,
  reason text NOT NULL,
  dispute_ref text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  next_lookup_at timestamptz(3),
  PRIMARY KEY (id, created_at),
  CONSTRAINT dispute_closed CHECK ((status = 'open') = (closed_at IS NULL)),
  CONSTRAINT dispute_followed_up CHECK ((status = 'open') = (next_lookup_at IS NOT NULL))
) PARTITION BY RANGE (created_at);
CREATE TABLE dispute_default PARTITION OF dispute DEFAULT;
SELECT ensure_partitions('dispute', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX dispute_charge ON dispute (charge_id);
CREATE INDEX dispute_due ON dispute (next_lookup_at) WHERE next_lookup_at IS NOT NULL;
CREATE INDEX dispute_merchant ON dispute (merchant_id, created_at, id);

-- Keys are unique over time per merchant and route, so the table is partitioned by merchant, not by time
-- (docs/spec/operations.md, Data retention).
CREATE TABLE idempotency_key (
  merchant_id text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  charge_id text NOT NULL,
  -- several refunds of one charge can be pending, each with its own key
  refund_id text,
  created_at timestamptz(3) NOT NULL,
  -- a response is kept from this time, however long its charge or refund took
  answered_at timestamptz(3),
  response_status integer,
  response_body text,
  PRIMARY KEY (merchant_id, route, key)
) PARTITION BY HASH (merchant_id);
CREATE TABLE idempotency_key_0 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE idempotency_key_1 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE idempotency_key_2 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE idempotency_key_3 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE idempotency_key_4 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE idempotency_key_5 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE idempotency_key_6 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE idempotency_key_7 PARTITION OF idempotency_key FOR VALUES WITH (MODULUS 8, REMAINDER 7);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);
-- All columns that a lookup by charge uses. With the charge alone, PostgreSQL reads a merchant's whole history through
-- the primary key while a partition has no statistics (docs/spec/payments.md, Idempotency).
CREATE INDEX idempotency_key_charge ON idempotency_key (charge_id, merchant_id, route);

-- A presentation or proof that was used for a charge. The transaction that reserves the charge writes the row.
CREATE TABLE credential_use (
  mandate_id text NOT NULL,
  use_hash text NOT NULL,
  charge_id text NOT NULL,
  charged_at timestamptz(3) NOT NULL,
  spend_id text,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (mandate_id, use_hash)
);
-- When a charge is never submitted, its presentation can be used again.
CREATE UNIQUE INDEX credential_use_charge_id_key ON credential_use (charge_id);
-- The amount spent with one mandate token.
CREATE INDEX credential_use_spend_id_idx ON credential_use (spend_id);
CREATE INDEX credential_use_expires_at_idx ON credential_use (expires_at);

-- A processor's report about money that contradicts our records and can't be applied. An operator closes it.
CREATE TABLE contradiction (
  id text PRIMARY KEY,
  charge_id text NOT NULL,
  about text NOT NULL,
  processor_ref text NOT NULL,
  reported text NOT NULL,
  amount bigint NOT NULL,
  raised_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  closed_by text,
  CONSTRAINT contradiction_about CHECK (about IN ('payment', 'refund')),
  CONSTRAINT contradiction_closed CHECK ((closed_at IS NULL) = (closed_by IS NULL))
);
-- A repeated report adds nothing.
CREATE UNIQUE INDEX contradiction_charge_id_processor_ref_reported_key ON contradiction (charge_id, processor_ref, reported);
CREATE INDEX contradiction_open ON contradiction (raised_at, id) WHERE closed_at IS NULL;
