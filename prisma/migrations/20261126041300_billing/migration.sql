-- What merchants are billed for: their own usage events (docs/adr/052-merchant-usage-events.md) and mandate
-- verifications (docs/spec/billing.md, Meters).

-- Event ids that a merchant's sources have used. They are unique over time, so the table is partitioned by merchant
-- (docs/spec/billing.md, Usage events).
CREATE TABLE usage_event_key (
  merchant_id text NOT NULL,
  source text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  -- of the rest of the event
  body_hash text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, source, event_id)
) PARTITION BY HASH (merchant_id);
CREATE TABLE usage_event_key_0 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE usage_event_key_1 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE usage_event_key_2 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE usage_event_key_3 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE usage_event_key_4 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE usage_event_key_5 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE usage_event_key_6 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE usage_event_key_7 PARTITION OF usage_event_key FOR VALUES WITH (MODULUS 8, REMAINDER 7);
CREATE INDEX usage_event_key_time ON usage_event_key ("time");

-- The events, by the month of their time, which their ids contain. The primary key includes what a count of a meter
-- reads.
CREATE TABLE usage_event (
  merchant_id text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  id text NOT NULL,
  source text NOT NULL,
  event_id text NOT NULL,
  meter text NOT NULL,
  subject text,
  quantity bigint NOT NULL,
  received_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, "time", id) INCLUDE (meter, quantity),
  CONSTRAINT usage_event_quantity CHECK (quantity BETWEEN 1 AND 999999999999)
) PARTITION BY RANGE ("time");
CREATE TABLE usage_event_default PARTITION OF usage_event DEFAULT;
-- Events are accepted for 35 days after their time, which can be two months ago.
SELECT ensure_partitions('usage_event', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);

-- Totals per hour (UTC), written with the events: a count of a period reads its hours.
CREATE TABLE usage_hour (
  merchant_id text NOT NULL,
  hour timestamptz(3) NOT NULL,
  meter text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  quantity numeric NOT NULL,
  PRIMARY KEY (merchant_id, hour, meter)
) PARTITION BY RANGE (hour);
CREATE TABLE usage_hour_default PARTITION OF usage_hour DEFAULT;
SELECT ensure_partitions('usage_hour', date_trunc('month', now() - interval '2 months', 'UTC'), '1 month', 5);

-- Calls of verify-mandate that are billed.
CREATE TABLE verification (
  merchant_id text NOT NULL,
  -- business time, which the id contains
  "time" timestamptz(3) NOT NULL,
  id text NOT NULL,
  client_id text NOT NULL,
  -- null when the answer named no mandate
  mandate_id text,
  PRIMARY KEY (merchant_id, "time", id)
) PARTITION BY RANGE ("time");
CREATE TABLE verification_default PARTITION OF verification DEFAULT;
SELECT ensure_partitions('verification', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- Their number per minute, written with them: a count of a period reads its minutes. Hours would be updated too often:
-- while a long transaction runs, each update of a row makes the next one slower.
CREATE TABLE verification_minute (
  merchant_id text NOT NULL,
  minute timestamptz(3) NOT NULL,
  -- spreads the updates over several rows, so that two statements rarely wait for each other
  lane integer NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (merchant_id, minute, lane)
) PARTITION BY RANGE (minute);
CREATE TABLE verification_minute_default PARTITION OF verification_minute DEFAULT;
SELECT ensure_partitions('verification_minute', date_trunc('month', now(), 'UTC'), '1 month', 3);

-- Their answers, for 30 days (docs/spec/operations.md, Data retention: API logs).
CREATE TABLE verification_log (
  merchant_id text NOT NULL,
  "time" timestamptz(3) NOT NULL,
  id text NOT NULL,
  -- the first of the verdict's reasons; null when the mandate was valid
  reason text,
  request_id text NOT NULL,
  PRIMARY KEY (merchant_id, "time", id)
) PARTITION BY RANGE ("time");
CREATE TABLE verification_log_default PARTITION OF verification_log DEFAULT;
SELECT ensure_partitions('verification_log', date_trunc('day', now(), 'UTC'), '1 day', 3);
