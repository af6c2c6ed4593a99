-- Collection of invoices (docs/spec/billing.md, Collection): how a merchant pays us, each attempt, and dunning.

-- New charges are refused while this is set: an invoice wasn't paid within the grace period.
ALTER TABLE merchant ADD COLUMN billing_suspended_at timestamptz(3);

CREATE TABLE billing_payment_method (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON UPDATE CASCADE,
  processor text NOT NULL,
  -- the processor's name of the card, never a card number
  processor_ref text NOT NULL,
  -- as shown, for example `Visa ending 4242`
  label text NOT NULL,
  set_at timestamptz(3) NOT NULL
);

-- An attempt to collect an invoice. Its id is the processor's idempotency key. It is written before the processor is
-- called, and stays pending until the outcome is known.
CREATE TABLE billing_payment (
  id text PRIMARY KEY,
  invoice_id text NOT NULL REFERENCES billing_invoice (id) ON UPDATE CASCADE,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  amount bigint NOT NULL,
  currency character(3) NOT NULL,
  processor text NOT NULL,
  processor_account text NOT NULL,
  payment_method_ref text NOT NULL,
  payment_method_label text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  processor_ref text,
  decline_code text,
  is_retryable boolean,
  created_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  -- real time, for look-ups
  started_at timestamptz(3) NOT NULL,
  lookups integer NOT NULL DEFAULT 0,
  not_found_at timestamptz(3),
  CONSTRAINT billing_payment_amount CHECK (amount > 0),
  -- `not_submitted`: the processor never got it
  CONSTRAINT billing_payment_state CHECK (state IN ('pending', 'succeeded', 'declined', 'not_submitted')),
  CONSTRAINT billing_payment_settled CHECK ((state = 'pending') = (settled_at IS NULL)),
  CONSTRAINT billing_payment_declined CHECK (
    (state = 'declined') = (decline_code IS NOT NULL) AND (state = 'declined') = (is_retryable IS NOT NULL))
);
-- No attempt starts while one is unresolved.
CREATE UNIQUE INDEX billing_payment_unresolved ON billing_payment (invoice_id) WHERE state = 'pending';
CREATE INDEX billing_payment_invoice ON billing_payment (invoice_id, created_at, id);
CREATE INDEX billing_payment_merchant ON billing_payment (merchant_id, created_at, id);

-- A settled attempt never changes.
CREATE FUNCTION guard_billing_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing text[] := ARRAY['state', 'processor_ref', 'decline_code', 'is_retryable', 'settled_at', 'lookups', 'not_found_at'];
BEGIN
  IF TG_OP = 'DELETE' OR OLD.state <> 'pending' OR to_jsonb(NEW) - changing <> to_jsonb(OLD) - changing THEN
    RAISE EXCEPTION 'payment % is append-only: only a pending one is settled, once', OLD.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_payment_settles BEFORE UPDATE OR DELETE ON billing_payment
  FOR EACH ROW EXECUTE FUNCTION guard_billing_payment();
CREATE TRIGGER billing_payment_keep BEFORE TRUNCATE ON billing_payment EXECUTE FUNCTION refuse_change();

-- The collection of one invoice, from the moment it is open.
CREATE TABLE billing_collection (
  invoice_id text PRIMARY KEY REFERENCES billing_invoice (id) ON UPDATE CASCADE,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  -- business time of the next step; null: nothing is left to do
  due_at timestamptz(3),
  -- business time of the next attempt; null: none follows
  attempt_at timestamptz(3),
  -- real time until which a worker has claimed the step
  lease_until timestamptz(3),
  -- real time of the next look-up of an unresolved attempt, or of the next try after an error
  retry_at timestamptz(3),
  -- why no attempt is made: `no_payment_method`, `no_processor` or `error`
  hold text,
  failures integer NOT NULL DEFAULT 0,
  first_failed_at timestamptz(3),
  -- when the due date passed without payment, and when the grace period did
  overdue_at timestamptz(3),
  suspended_at timestamptz(3),
  CONSTRAINT billing_collection_failures CHECK ((failures = 0) = (first_failed_at IS NULL)),
  CONSTRAINT billing_collection_hold CHECK (hold IN ('no_payment_method', 'no_processor', 'error'))
);
CREATE INDEX billing_collection_due ON billing_collection (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX billing_collection_dunning ON billing_collection (merchant_id)
  WHERE first_failed_at IS NOT NULL OR overdue_at IS NOT NULL;

-- Each invoice that becomes open is collected, and each that is closed in any way (paid, covered by a credit note,
-- voided) gets a last step, which lifts the consequences of not paying it.
CREATE FUNCTION collect_billing_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type <> 'invoice' THEN RETURN NULL; END IF;
  IF NEW.status = 'open' THEN
    INSERT INTO billing_collection (invoice_id, merchant_id, due_at, attempt_at)
    VALUES (NEW.id, NEW.merchant_id, NEW.issued_at, NEW.issued_at) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE billing_collection SET due_at = NEW.closed_at, attempt_at = NULL, hold = NULL
     WHERE invoice_id = NEW.id AND NEW.closed_at IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER billing_invoice_collected AFTER UPDATE OF status ON billing_invoice
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION collect_billing_invoice();
CREATE TRIGGER billing_invoice_opened AFTER INSERT ON billing_invoice
  FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION collect_billing_invoice();

INSERT INTO billing_collection (invoice_id, merchant_id, due_at, attempt_at)
SELECT id, merchant_id, issued_at, issued_at FROM billing_invoice WHERE status = 'open' AND type = 'invoice';
