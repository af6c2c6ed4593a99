-- Invoices, credit notes, credits and the ledger (docs/spec/billing.md, Invoices, Credits and Ledger). The database
-- itself refuses to change what is final. The tables aren't partitioned: they grow by a few rows per merchant and month,
-- are kept for as long as tax law requires, and their numbers are unique over time.

-- For exclusion constraints that also compare texts.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- The last number of each series and year. A transaction that issues an invoice locks the row until it commits, so that
-- a number is used exactly once and none is skipped.
CREATE TABLE billing_number (
  series text NOT NULL,
  year integer NOT NULL,
  last bigint NOT NULL,
  PRIMARY KEY (series, year),
  CONSTRAINT billing_number_positive CHECK (last >= 1)
);

CREATE FUNCTION guard_billing_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.series, NEW.year, NEW.last) IS DISTINCT FROM (OLD.series, OLD.year, OLD.last + 1) THEN
    RAISE EXCEPTION 'billing_number of % % can only count up by one', OLD.series, OLD.year USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_number_counts BEFORE UPDATE ON billing_number FOR EACH ROW EXECUTE FUNCTION guard_billing_number();
CREATE TRIGGER billing_number_remains BEFORE DELETE ON billing_number FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_number_keep BEFORE TRUNCATE ON billing_number EXECUTE FUNCTION refuse_change();

-- The merchant as the customer of our invoices. A change is a new version; an invoice keeps the version it was issued
-- with.
CREATE TABLE billing_tax_details (
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  version integer NOT NULL,
  legal_name text NOT NULL,
  line1 text NOT NULL,
  line2 text,
  postal_code text,
  city text NOT NULL,
  -- ISO 3166-1 alpha-2
  country character(2) NOT NULL,
  vat_number text,
  -- key of the catalogue's tax rates; null until it is decided
  tax_region text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, version),
  CONSTRAINT billing_tax_details_version CHECK (version >= 1)
);
CREATE TRIGGER billing_tax_details_append_only BEFORE UPDATE OR DELETE ON billing_tax_details
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_tax_details_keep BEFORE TRUNCATE ON billing_tax_details EXECUTE FUNCTION refuse_change();

CREATE TABLE billing_invoice (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  -- null for a credit note
  subscription_id text,
  type text NOT NULL,
  -- why the period is billed: it ended (`period`), or a change of plan ended a part of it (`change`)
  kind text NOT NULL,
  -- the invoice that a credit note corrects
  corrects text REFERENCES billing_invoice (id) ON UPDATE CASCADE,
  -- of a credit note: why, and the key under which a repeated request returns the same credit note
  reason text,
  request_key text,
  status text NOT NULL,
  currency character(3) NOT NULL,
  number text UNIQUE,
  period_from timestamptz(3) NOT NULL,
  period_to timestamptz(3) NOT NULL,
  plan_id text NOT NULL,
  plan_version integer NOT NULL,
  -- whether prices include tax
  tax_behaviour text NOT NULL,
  subtotal bigint NOT NULL,
  discount bigint NOT NULL,
  tax bigint NOT NULL,
  total bigint NOT NULL,
  credit_applied bigint NOT NULL,
  prepaid_applied bigint NOT NULL,
  -- what the merchant gets as credit balance: of an invoice whose total is negative, or of a credit note
  to_credit_balance bigint NOT NULL,
  -- by credit notes, without what became credit balance
  amount_credited bigint NOT NULL,
  amount_paid bigint NOT NULL,
  amount_due bigint NOT NULL,
  discounts jsonb NOT NULL,
  taxes jsonb NOT NULL,
  line_count integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- since when a draft in production waits for the merchant's tax details, and when an operator decided without them
  tax_awaited_since timestamptz(3),
  tax_decided_at timestamptz(3),
  issued_at timestamptz(3),
  due_at timestamptz(3),
  -- when it became paid, void or uncollectible
  closed_at timestamptz(3),
  -- issuer, customer and the invoice as issued
  snapshot jsonb,
  pdf_sha256 character(64),
  CONSTRAINT billing_invoice_type CHECK (CASE type
    WHEN 'invoice' THEN subscription_id IS NOT NULL AND corrects IS NULL AND reason IS NULL AND request_key IS NULL
    WHEN 'credit_note' THEN corrects IS NOT NULL AND status = 'paid' AND reason IS NOT NULL AND request_key IS NOT NULL
    ELSE false END),
  CONSTRAINT billing_invoice_kind CHECK (kind IN ('period', 'change')),
  CONSTRAINT billing_invoice_status CHECK (status IN ('draft', 'open', 'paid', 'void', 'uncollectible')),
  CONSTRAINT billing_invoice_period CHECK (period_from < period_to),
  CONSTRAINT billing_invoice_tax_behaviour CHECK (tax_behaviour IN ('exclusive', 'inclusive')),
  CONSTRAINT billing_invoice_issued CHECK (
    (status = 'draft') = (number IS NULL) AND (status = 'draft') = (issued_at IS NULL) AND (status = 'draft') = (snapshot IS NULL)
    AND (status = 'draft') = (due_at IS NULL) AND (status IN ('draft', 'open')) = (closed_at IS NULL)),
  -- A total is never negative: what is left of credits becomes credit balance.
  CONSTRAINT billing_invoice_total CHECK (
    total - CASE type WHEN 'invoice' THEN to_credit_balance ELSE 0 END
      = subtotal - discount + CASE tax_behaviour WHEN 'exclusive' THEN tax ELSE 0 END
    AND total >= 0 AND (type = 'credit_note' OR total = 0 OR to_credit_balance = 0)),
  CONSTRAINT billing_invoice_parts CHECK (discount >= 0 AND credit_applied >= 0 AND prepaid_applied >= 0
    AND to_credit_balance >= 0 AND amount_credited >= 0 AND amount_paid >= 0 AND amount_due >= 0),
  CONSTRAINT billing_invoice_due CHECK (CASE
    WHEN type = 'credit_note' THEN amount_due = 0
    WHEN status = 'void' THEN amount_due = 0
    ELSE amount_due = total - credit_applied - prepaid_applied - amount_credited - amount_paid END),
  CONSTRAINT billing_invoice_paid CHECK (status <> 'paid' OR amount_due = 0),
  -- A period is billed once per currency: drafts of two racing jobs can't both be stored.
  CONSTRAINT billing_invoice_once EXCLUDE USING gist (subscription_id WITH =, currency WITH =, kind WITH =,
    tstzrange(period_from, period_to) WITH &&) WHERE (type = 'invoice' AND status <> 'void')
);
CREATE INDEX billing_invoice_merchant ON billing_invoice (merchant_id, created_at, id);
CREATE INDEX billing_invoice_subscription ON billing_invoice (subscription_id, period_from) WHERE subscription_id IS NOT NULL;
CREATE INDEX billing_invoice_created ON billing_invoice (created_at, id);
CREATE UNIQUE INDEX billing_invoice_corrects ON billing_invoice (corrects, request_key) WHERE corrects IS NOT NULL;
CREATE INDEX billing_invoice_open ON billing_invoice (due_at) WHERE status = 'open';

CREATE TABLE billing_invoice_line (
  id text PRIMARY KEY,
  invoice_id text NOT NULL REFERENCES billing_invoice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  position integer NOT NULL,
  -- the line of the corrected invoice
  corrects text REFERENCES billing_invoice_line (id) ON UPDATE CASCADE,
  kind text NOT NULL,
  meter text,
  description text NOT NULL,
  -- the plan version that priced it; null for refunds and SLA credits
  plan_id text,
  plan_version integer,
  -- service period
  period_from timestamptz(3) NOT NULL,
  period_to timestamptz(3) NOT NULL,
  quantity numeric NOT NULL,
  -- before rounding, in minor units
  exact numeric NOT NULL,
  -- the price of its usage: a late line's is greater than `exact` if it consumed a minimum's true-up
  priced_exact numeric NOT NULL,
  amount bigint NOT NULL,
  discount bigint NOT NULL,
  net bigint NOT NULL,
  tax_category text NOT NULL,
  -- percent
  tax_rate numeric NOT NULL,
  -- the instant from which the line is billed, and the end of what it counts by event time
  invoice_at timestamptz(3) NOT NULL,
  cut_off timestamptz(3) NOT NULL,
  -- the events behind the line, of those that were received until `events_as_of`
  event_count bigint,
  event_set_hash character(64),
  events_as_of timestamptz(3),
  -- what else selects them: for late events the start of their receipt, for active mandates the months
  events_received_from timestamptz(3),
  event_months jsonb,
  UNIQUE (invoice_id, position),
  CONSTRAINT billing_invoice_line_kind
    CHECK (kind IN ('flat', 'usage', 'true_up', 'late', 'refund', 'sla_credit', 'proration')),
  CONSTRAINT billing_invoice_line_period CHECK (period_from <= period_to),
  CONSTRAINT billing_invoice_line_exact CHECK (scale(exact) <= 12 AND scale(priced_exact) <= 12 AND scale(quantity) = 0),
  CONSTRAINT billing_invoice_line_events CHECK (
    (event_count IS NULL) = (event_set_hash IS NULL) AND (event_count IS NULL) = (events_as_of IS NULL))
);
CREATE INDEX billing_invoice_line_corrects ON billing_invoice_line (corrects) WHERE corrects IS NOT NULL;

-- A final invoice changes only by these transitions. Everything else is corrected by a credit note.
CREATE FUNCTION guard_billing_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing text[] := ARRAY['status', 'amount_paid', 'amount_due', 'amount_credited', 'closed_at', 'pdf_sha256'];
  fixed text[] := ARRAY['id', 'merchant_id', 'subscription_id', 'type', 'kind', 'corrects', 'currency', 'created_at'];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.status = 'draft' THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'invoice % is final and cannot be deleted', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD.status = 'draft' THEN
    IF NEW.status NOT IN ('draft', 'open', 'paid') OR (SELECT bool_or(to_jsonb(NEW) -> name <> to_jsonb(OLD) -> name) FROM unnest(fixed) AS name) THEN
      RAISE EXCEPTION 'invoice % is a draft of another subject, or can only become open or paid', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - changing <> to_jsonb(OLD) - changing
    OR (OLD.pdf_sha256 IS NOT NULL AND NEW.pdf_sha256 IS DISTINCT FROM OLD.pdf_sha256)
    OR NOT (OLD.status IN ('open', NEW.status) OR (OLD.status = 'uncollectible' AND NEW.status = 'paid'))
    OR NEW.status = 'draft'
    OR (OLD.status IN ('paid', 'void')
      AND (NEW.amount_paid, NEW.amount_credited, NEW.closed_at) <> (OLD.amount_paid, OLD.amount_credited, OLD.closed_at))
  THEN
    RAISE EXCEPTION 'invoice % is final: correct it with a credit note', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_invoice_final BEFORE UPDATE OR DELETE ON billing_invoice FOR EACH ROW EXECUTE FUNCTION guard_billing_invoice();
CREATE TRIGGER billing_invoice_keep BEFORE TRUNCATE ON billing_invoice EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_billing_invoice_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Lines of a deleted draft go with it.
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM billing_invoice i WHERE i.id = OLD.invoice_id AND i.status <> 'draft') THEN
    RAISE EXCEPTION 'a line of invoice % cannot be changed', OLD.invoice_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER billing_invoice_line_final BEFORE UPDATE OR DELETE ON billing_invoice_line
  FOR EACH ROW EXECUTE FUNCTION guard_billing_invoice_line();
CREATE TRIGGER billing_invoice_line_keep BEFORE TRUNCATE ON billing_invoice_line EXECUTE FUNCTION refuse_change();

-- Checked at the commit: an invoice is the sum of its lines, and a line can't be added to a final one.
CREATE FUNCTION check_billing_invoice_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := CASE TG_TABLE_NAME WHEN 'billing_invoice' THEN to_jsonb(NEW) ->> 'id' ELSE to_jsonb(NEW) ->> 'invoice_id' END;
BEGIN
  IF EXISTS (SELECT FROM billing_invoice i
    LEFT JOIN LATERAL (SELECT count(*) AS lines, coalesce(sum(l.amount), 0) AS amount, coalesce(sum(l.discount), 0) AS discount,
        coalesce(sum(l.net), 0) AS net FROM billing_invoice_line l WHERE l.invoice_id = i.id) s ON true
    WHERE i.id = wanted AND (s.lines <> i.line_count OR s.amount <> i.subtotal OR s.discount <> i.discount 
        OR s.net <> i.total - i.tax - CASE i.type WHEN 'invoice' THEN i.to_credit_balance ELSE 0 END))
  THEN
    RAISE EXCEPTION 'invoice % is not the sum of its lines', wanted USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_invoice_sums AFTER INSERT OR UPDATE ON billing_invoice
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_billing_invoice_lines();
CREATE CONSTRAINT TRIGGER billing_invoice_line_sums AFTER INSERT ON billing_invoice_line
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_billing_invoice_lines();

-- Credits: what a merchant paid in advance or was given, and the credit balance from credit notes. `remaining` is the
-- grant less its uses.
CREATE TABLE billing_credit_grant (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  kind text NOT NULL,
  currency character(3) NOT NULL,
  granted bigint NOT NULL,
  remaining bigint NOT NULL,
  -- lower ones are used first
  priority integer NOT NULL,
  expires_at timestamptz(3),
  granted_at timestamptz(3) NOT NULL,
  -- the invoice, credit note or operator's grant that it comes from
  source_type text NOT NULL,
  source_id text NOT NULL,
  CONSTRAINT billing_credit_grant_kind CHECK (kind IN ('prepaid', 'promotional', 'credit_note')),
  CONSTRAINT billing_credit_grant_amounts CHECK (granted > 0 AND remaining BETWEEN 0 AND granted),
  CONSTRAINT billing_credit_grant_once UNIQUE (source_type, source_id, kind)
);
CREATE INDEX billing_credit_grant_merchant ON billing_credit_grant (merchant_id, granted_at, id);
CREATE INDEX billing_credit_grant_left ON billing_credit_grant (merchant_id, currency) WHERE remaining > 0;
CREATE INDEX billing_credit_grant_expiry ON billing_credit_grant (expires_at) WHERE remaining > 0 AND expires_at IS NOT NULL;

CREATE FUNCTION guard_billing_credit_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'remaining' <> to_jsonb(OLD) - 'remaining' THEN
    RAISE EXCEPTION 'of credit % only the remaining amount changes', OLD.id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_credit_grant_fixed BEFORE UPDATE ON billing_credit_grant FOR EACH ROW EXECUTE FUNCTION guard_billing_credit_grant();
CREATE TRIGGER billing_credit_grant_remains BEFORE DELETE ON billing_credit_grant FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_credit_grant_keep BEFORE TRUNCATE ON billing_credit_grant EXECUTE FUNCTION refuse_change();

-- Uses of a grant. A void invoice gives back what it used: a negative amount. An expiry has no invoice.
CREATE TABLE billing_credit_use (
  grant_id text NOT NULL REFERENCES billing_credit_grant (id) ON UPDATE CASCADE,
  number integer NOT NULL,
  invoice_id text REFERENCES billing_invoice (id) ON UPDATE CASCADE,
  amount bigint NOT NULL,
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (grant_id, number),
  CONSTRAINT billing_credit_use_amount CHECK (amount <> 0)
);
CREATE INDEX billing_credit_use_invoice ON billing_credit_use (invoice_id);
CREATE TRIGGER billing_credit_use_append_only BEFORE UPDATE OR DELETE ON billing_credit_use
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_credit_use_keep BEFORE TRUNCATE ON billing_credit_use EXECUTE FUNCTION refuse_change();

-- The ledger: double entry. A transaction and its entries are written together and never change. Only a payment's
-- transaction begins as pending, and becomes posted or voided once.
CREATE TABLE billing_ledger_transaction (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  -- what happened, for example `invoice.finalized`
  kind text NOT NULL,
  source_type text NOT NULL,
  source_id text NOT NULL,
  state text NOT NULL,
  entry_count integer NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  CONSTRAINT billing_ledger_transaction_state CHECK (state IN ('pending', 'posted', 'voided')),
  CONSTRAINT billing_ledger_transaction_settled CHECK ((state = 'pending') = (settled_at IS NULL)),
  CONSTRAINT billing_ledger_transaction_entries CHECK (entry_count >= 2),
  -- Nothing is posted twice.
  CONSTRAINT billing_ledger_transaction_once UNIQUE (source_type, source_id, kind)
);

CREATE TABLE billing_ledger_entry (
  id text PRIMARY KEY,
  transaction_id text NOT NULL REFERENCES billing_ledger_transaction (id) ON UPDATE CASCADE,
  merchant_id text NOT NULL,
  account text NOT NULL,
  currency character(3) NOT NULL,
  -- debits are positive, credits negative
  amount bigint NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  CONSTRAINT billing_ledger_entry_account CHECK (account IN ('receivable', 'revenue', 'tax', 'customer_credit', 'prepaid',
    'discounts', 'bad_debt', 'processor_clearing', 'cash', 'refunds', 'rounding')),
  CONSTRAINT billing_ledger_entry_amount CHECK (amount <> 0)
);
CREATE INDEX billing_ledger_entry_transaction ON billing_ledger_entry (transaction_id);
CREATE INDEX billing_ledger_entry_merchant ON billing_ledger_entry (merchant_id, effective_at, id);
CREATE INDEX billing_ledger_entry_effective ON billing_ledger_entry (effective_at, id);
CREATE TRIGGER billing_ledger_entry_append_only BEFORE UPDATE OR DELETE ON billing_ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_ledger_entry_keep BEFORE TRUNCATE ON billing_ledger_entry EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_billing_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'pending' OR NEW.state NOT IN ('posted', 'voided')
    OR to_jsonb(NEW) - ARRAY['state', 'settled_at'] <> to_jsonb(OLD) - ARRAY['state', 'settled_at']
  THEN
    RAISE EXCEPTION 'ledger transaction % is append-only: only a pending one is posted or voided, once', OLD.id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_ledger_transaction_settles BEFORE UPDATE ON billing_ledger_transaction
  FOR EACH ROW EXECUTE FUNCTION guard_billing_ledger_transaction();
CREATE TRIGGER billing_ledger_transaction_remains BEFORE DELETE ON billing_ledger_transaction
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER billing_ledger_transaction_keep BEFORE TRUNCATE ON billing_ledger_transaction EXECUTE FUNCTION refuse_change();

-- Checked at the commit, so that entries can be written in any order: a transaction sums to zero in each currency and
-- has exactly the entries that it began with.
CREATE FUNCTION check_billing_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text := coalesce(to_jsonb(NEW) ->> 'transaction_id', to_jsonb(NEW) ->> 'id');
BEGIN
  IF EXISTS (SELECT FROM billing_ledger_entry e WHERE e.transaction_id = wanted GROUP BY e.currency HAVING sum(e.amount) <> 0) THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', wanted USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (SELECT count(*) FROM billing_ledger_entry e WHERE e.transaction_id = wanted)
    IS DISTINCT FROM (SELECT t.entry_count::bigint FROM billing_ledger_transaction t WHERE t.id = wanted)
  THEN
    RAISE EXCEPTION 'ledger transaction % has other entries than it began with', wanted USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_ledger_transaction_balanced AFTER INSERT ON billing_ledger_transaction
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_billing_ledger_transaction();
CREATE CONSTRAINT TRIGGER billing_ledger_entry_balanced AFTER INSERT ON billing_ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_billing_ledger_transaction();

-- Sums of the entries, kept by the statements that post and settle: balances are read without the history. Voided
-- transactions count in neither column.
CREATE TABLE billing_ledger_balance (
  merchant_id text NOT NULL,
  account text NOT NULL,
  currency character(3) NOT NULL,
  posted numeric NOT NULL,
  pending numeric NOT NULL,
  PRIMARY KEY (merchant_id, currency, account)
);
