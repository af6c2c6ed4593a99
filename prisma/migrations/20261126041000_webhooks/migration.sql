-- Events and their deliveries to webhook endpoints (docs/spec/payments.md, Webhooks).

-- The outbox: an event is written in the transaction of the change that it reports.
CREATE TABLE event (
  id text NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  sequence integer NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  dispatched_at timestamptz(3),
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE event_default PARTITION OF event DEFAULT;
SELECT ensure_partitions('event', date_trunc('month', now(), 'UTC'), '1 month', 3);
CREATE INDEX event_object_id_sequence_idx ON event (object_id, sequence);
CREATE INDEX event_undispatched ON event (created_at) WHERE dispatched_at IS NULL;

CREATE TYPE webhook_owner_kind AS ENUM ('client', 'merchant');

CREATE TABLE webhook_endpoint (
  id text PRIMARY KEY,
  owner_kind webhook_owner_kind NOT NULL,
  owner_id text NOT NULL,
  url text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  disabled_at timestamptz(3),
  disabled_reason text,
  succeeded_at timestamptz(3),
  event_types text[] NOT NULL DEFAULT ARRAY[]::text[],
  CONSTRAINT webhook_endpoint_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX webhook_endpoint_owner_id_idx ON webhook_endpoint (owner_id);
-- An agent has one webhook_uri.
CREATE UNIQUE INDEX webhook_endpoint_client ON webhook_endpoint (owner_id) WHERE owner_kind = 'client';

CREATE TABLE webhook_secret (
  id text PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES webhook_endpoint (id) ON UPDATE CASCADE ON DELETE CASCADE,
  sealed text NOT NULL,
  public_key text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3)
);
CREATE INDEX webhook_secret_endpoint_id_idx ON webhook_secret (endpoint_id);
CREATE UNIQUE INDEX webhook_secret_present ON webhook_secret (endpoint_id) WHERE expires_at IS NULL;

CREATE TYPE webhook_delivery_state AS ENUM ('pending', 'delivered', 'failed', 'stopped');

CREATE TABLE webhook_delivery (
  id text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  event_at timestamptz(3) NOT NULL,
  event_type text NOT NULL,
  object_id text NOT NULL,
  sequence integer NOT NULL,
  state webhook_delivery_state NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  tried_at timestamptz(3),
  next_attempt_at timestamptz(3),
  replay_of text,
  PRIMARY KEY (id, created_at),
  CONSTRAINT webhook_delivery_due CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
) PARTITION BY RANGE (created_at);
CREATE TABLE webhook_delivery_default PARTITION OF webhook_delivery DEFAULT;
SELECT ensure_partitions('webhook_delivery', date_trunc('day', now(), 'UTC'), '1 day', 3);
CREATE INDEX webhook_delivery_endpoint_id_created_at_idx ON webhook_delivery (endpoint_id, created_at);
CREATE INDEX webhook_delivery_next ON webhook_delivery (next_attempt_at) WHERE state = 'pending';
-- First attempts for later events of the same object wait for these.
CREATE INDEX webhook_delivery_untried ON webhook_delivery (endpoint_id, object_id, sequence)
  WHERE state = 'pending' AND tried_at IS NULL;
-- Pending deliveries of one endpoint, however many others have. The second condition is always true; it keeps queries
-- for an object's earlier delivery, which don't name it, on webhook_delivery_untried.
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, next_attempt_at)
  WHERE state = 'pending' AND next_attempt_at IS NOT NULL;

-- Partitioned by the delivery's `created_at`, so that a delivery and its attempts are dropped together.
CREATE TABLE webhook_attempt (
  delivery_id text NOT NULL,
  number integer NOT NULL,
  delivery_at timestamptz(3) NOT NULL,
  url text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  milliseconds integer,
  status integer,
  problem text,
  body_start text,
  PRIMARY KEY (delivery_id, number, delivery_at)
) PARTITION BY RANGE (delivery_at);
CREATE TABLE webhook_attempt_default PARTITION OF webhook_attempt DEFAULT;
SELECT ensure_partitions('webhook_attempt', date_trunc('day', now(), 'UTC'), '1 day', 3);
