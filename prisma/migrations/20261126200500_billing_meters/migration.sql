-- Meters of the service's own calls: tokens issued, introspections, step-ups, webhooks delivered (docs/spec/billing.md,
-- Meters). Written in the statement or transaction of the act.
CREATE TABLE meter_event (
  merchant_id text NOT NULL,
  meter text COLLATE "C" NOT NULL,
  -- business time, which the id contains
  "time" timestamptz(3) NOT NULL,
  id text NOT NULL,
  -- the merchant's client that made the call; null for a delivered webhook
  client_id text,
  -- the charge or the webhook delivery; null for tokens and introspections
  subject text,
  PRIMARY KEY (merchant_id, meter, "time", id)
) PARTITION BY RANGE ("time");
CREATE TABLE meter_event_default PARTITION OF meter_event DEFAULT;
SELECT ensure_partitions('meter_event', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- Their number per minute, like verification_minute.
CREATE TABLE meter_minute (
  merchant_id text NOT NULL,
  meter text COLLATE "C" NOT NULL,
  minute timestamptz(3) NOT NULL,
  -- spreads the updates over several rows, so that two statements rarely wait for each other
  lane integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (merchant_id, meter, minute, lane)
) PARTITION BY RANGE (minute);
CREATE TABLE meter_minute_default PARTITION OF meter_minute DEFAULT;
SELECT ensure_partitions('meter_minute', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- Own events that arrived more than five minutes after their time. Together with the last five minutes of a period,
-- they contain every event that arrived after the period's end.
CREATE INDEX usage_event_slow ON usage_event (merchant_id, received_at) INCLUDE ("time")
  WHERE received_at - "time" > interval '5 minutes';

-- The result of comparing a meter with its source on one UTC day (docs/spec/billing.md, Meters).
CREATE TABLE meter_reconciliation (
  merchant_id text NOT NULL,
  -- the start of the day
  day timestamptz(3) NOT NULL,
  meter text COLLATE "C" NOT NULL,
  -- what the meter counts
  metered_count bigint NOT NULL,
  metered_quantity numeric NOT NULL,
  -- what its source has
  source_count bigint NOT NULL,
  source_quantity numeric NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, day, meter)
) PARTITION BY RANGE (day);
CREATE TABLE meter_reconciliation_default PARTITION OF meter_reconciliation DEFAULT;
SELECT ensure_partitions('meter_reconciliation', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);
CREATE INDEX meter_reconciliation_by_day ON meter_reconciliation (day, merchant_id, meter);
CREATE INDEX meter_reconciliation_different ON meter_reconciliation (day, merchant_id, meter)
  WHERE metered_count <> source_count OR metered_quantity <> source_quantity;

-- The days that were compared for all merchants.
CREATE TABLE meter_reconciliation_day (
  day timestamptz(3) NOT NULL,
  compared bigint NOT NULL,
  differences bigint NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  CONSTRAINT meter_reconciliation_day_pkey PRIMARY KEY (day)
);

-- Invoices refer to events, so recorded events never change. They are deleted after 13 months, with their partition
-- (docs/spec/operations.md, Data retention).
CREATE FUNCTION keep_metered_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD."time" < now() - interval '396 days' THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'a metered event of % never changes', TG_TABLE_NAME;
END $$;
CREATE TRIGGER usage_event_kept BEFORE UPDATE OR DELETE ON usage_event FOR EACH ROW EXECUTE FUNCTION keep_metered_event();
CREATE TRIGGER usage_event_no_truncate BEFORE TRUNCATE ON usage_event EXECUTE FUNCTION refuse_change();
CREATE TRIGGER verification_kept BEFORE UPDATE OR DELETE ON verification FOR EACH ROW EXECUTE FUNCTION keep_metered_event();
CREATE TRIGGER verification_no_truncate BEFORE TRUNCATE ON verification EXECUTE FUNCTION refuse_change();
CREATE TRIGGER meter_event_kept BEFORE UPDATE OR DELETE ON meter_event FOR EACH ROW EXECUTE FUNCTION keep_metered_event();
CREATE TRIGGER meter_event_no_truncate BEFORE TRUNCATE ON meter_event EXECUTE FUNCTION refuse_change();

-- A charge with captured money is counted, so what its count depends on never changes. Refunds and disputes still can
-- change its state.
CREATE FUNCTION keep_counted_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'charge % is counted: its captured amount and its time are final', OLD.id;
END $$;
CREATE TRIGGER charge_counted BEFORE UPDATE ON charge FOR EACH ROW
  WHEN (OLD.final_at IS NOT NULL AND OLD.amount_captured > 0 AND (
    (NEW.amount_captured, NEW.final_at, NEW.currency, NEW.merchant_id, NEW.mandate_id)
      IS DISTINCT FROM (OLD.amount_captured, OLD.final_at, OLD.currency, OLD.merchant_id, OLD.mandate_id)
    OR NEW.state NOT IN ('succeeded', 'captured', 'partially_captured', 'partially_refunded', 'refunded', 'disputed')))
  EXECUTE FUNCTION keep_counted_charge();
CREATE TRIGGER charge_counted_kept BEFORE DELETE ON charge FOR EACH ROW
  WHEN (OLD.final_at IS NOT NULL AND OLD.amount_captured > 0)
  EXECUTE FUNCTION keep_counted_charge();
