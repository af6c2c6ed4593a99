-- The status page (docs/spec/status.md, Components and states). Only production's database has rows here.

CREATE TYPE component_state AS ENUM (
  'operational', 'degraded', 'partial_outage', 'major_outage', 'maintenance', 'unknown'
);
CREATE TYPE status_source AS ENUM ('probe', 'operator', 'cascade');

-- The state of a component according to one source, from `at` on.
CREATE TABLE component_change (
  id text PRIMARY KEY,
  component text NOT NULL,
  source status_source NOT NULL,
  subject text NOT NULL DEFAULT '',
  state component_state NOT NULL,
  at timestamptz(3) NOT NULL,
  reason text NOT NULL,
  actor text NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX component_change_at_idx ON component_change (at);
-- The state changes of one incident or maintenance.
CREATE INDEX component_change_subject_at_idx ON component_change (subject, at);
CREATE TRIGGER component_change_append_only BEFORE UPDATE OR DELETE ON component_change
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The last probe of each component.
CREATE TABLE component_heartbeat (
  component text PRIMARY KEY,
  at timestamptz(3) NOT NULL
);

-- One finished UTC day of a component. The hash covers its figures and the hash of the day before.
CREATE TABLE component_day (
  component text NOT NULL,
  day date NOT NULL,
  figures jsonb NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  frozen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (component, day)
);
CREATE TRIGGER component_day_append_only BEFORE UPDATE OR DELETE ON component_day
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TYPE incident_state AS ENUM ('draft', 'investigating', 'identified', 'monitoring', 'resolved', 'dismissed');
CREATE TYPE incident_impact AS ENUM ('none', 'minor', 'major', 'critical');

CREATE TABLE incident (
  id text PRIMARY KEY,
  title text NOT NULL,
  state incident_state NOT NULL,
  impact incident_impact NOT NULL,
  source status_source NOT NULL,
  opened_by text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  public_at timestamptz(3),
  resolved_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  postmortem_reminded_on date,
  CONSTRAINT incident_resolved CHECK ((state = 'resolved') = (resolved_at IS NOT NULL))
);
CREATE INDEX incident_started_at_idx ON incident (started_at);

CREATE TABLE incident_component (
  incident_id text NOT NULL REFERENCES incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  component text NOT NULL,
  state component_state NOT NULL,
  PRIMARY KEY (incident_id, component)
);

CREATE TABLE incident_update (
  id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  sequence integer NOT NULL,
  state incident_state NOT NULL,
  text text NOT NULL,
  actor text NOT NULL,
  at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX incident_update_incident_id_sequence_key ON incident_update (incident_id, sequence);
CREATE TRIGGER incident_update_append_only BEFORE UPDATE OR DELETE ON incident_update
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE postmortem (
  incident_id text PRIMARY KEY REFERENCES incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  summary text NOT NULL,
  timeline text NOT NULL,
  causes text NOT NULL,
  published_at timestamptz(3),
  author text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE TABLE postmortem_action (
  id text PRIMARY KEY,
  incident_id text NOT NULL REFERENCES postmortem (incident_id) ON UPDATE CASCADE ON DELETE RESTRICT,
  position integer NOT NULL,
  title text NOT NULL,
  owner text NOT NULL,
  due_on date NOT NULL,
  done_at timestamptz(3)
);
CREATE UNIQUE INDEX postmortem_action_incident_id_position_key ON postmortem_action (incident_id, position);

CREATE TYPE maintenance_state AS ENUM ('scheduled', 'in_progress', 'completed', 'cancelled');

CREATE TABLE maintenance (
  id text PRIMARY KEY,
  title text NOT NULL,
  state maintenance_state NOT NULL,
  components text[],
  announced_at timestamptz(3) NOT NULL,
  scheduled_from timestamptz(3) NOT NULL,
  scheduled_to timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  actor text NOT NULL,
  CONSTRAINT maintenance_window CHECK (scheduled_to > scheduled_from)
);
CREATE INDEX maintenance_scheduled_from_idx ON maintenance (scheduled_from);

CREATE TABLE maintenance_update (
  id text PRIMARY KEY,
  maintenance_id text NOT NULL REFERENCES maintenance (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  sequence integer NOT NULL,
  state maintenance_state NOT NULL,
  text text NOT NULL,
  actor text NOT NULL,
  at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX maintenance_update_maintenance_id_sequence_key ON maintenance_update (maintenance_id, sequence);
CREATE TRIGGER maintenance_update_append_only BEFORE UPDATE OR DELETE ON maintenance_update
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TYPE subscriber_kind AS ENUM ('email', 'webhook');

-- A subscription changes when its address confirms it (docs/spec/status.md, Notifications).
CREATE TABLE status_subscriber (
  id text PRIMARY KEY,
  kind subscriber_kind NOT NULL,
  address_hash text NOT NULL,
  address_sealed bytea NOT NULL,
  secret_sealed bytea,
  components text[],
  requested_components text[],
  confirm_hash text,
  confirm_expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX status_subscriber_kind_address_hash_key ON status_subscriber (kind, address_hash);
CREATE UNIQUE INDEX status_subscriber_confirm_hash_key ON status_subscriber (confirm_hash);

-- One update for one subscriber.
CREATE TABLE status_notice (
  subscriber_id text NOT NULL REFERENCES status_subscriber (id) ON UPDATE CASCADE ON DELETE CASCADE,
  update_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz(3),
  abandoned_at timestamptz(3),
  problem text,
  PRIMARY KEY (subscriber_id, update_id)
);
CREATE INDEX status_notice_created_at_idx ON status_notice (created_at);

CREATE TYPE alert_rule AS ENUM ('page_fast', 'page_slow', 'ticket');

-- A burn rate that stays above its limit.
CREATE TABLE status_alert (
  id text PRIMARY KEY,
  component text NOT NULL,
  rule alert_rule NOT NULL,
  burn_rate numeric(65,30) NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX status_alert_started_at_idx ON status_alert (started_at);

-- Durations of requests per endpoint and hour: a histogram that each web process updates once a minute.
CREATE TABLE latency_hour (
  operation text NOT NULL,
  hour timestamptz(3) NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  counts bigint[] NOT NULL,
  PRIMARY KEY (operation, hour)
);
CREATE INDEX latency_hour_hour_idx ON latency_hour (hour);

-- One row: the tenants that the status process uses for its probes. It writes public keys and the hash of its own
-- secret; a job creates the tenants.
CREATE TABLE status_probe (
  id integer PRIMARY KEY DEFAULT 1,
  agent_key jsonb NOT NULL,
  merchant_key jsonb NOT NULL,
  requested_hash text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  payer_id text,
  merchant_id text,
  agent_client_id text,
  merchant_client_id text,
  grant_id text,
  mandate_id text,
  granted_hash text,
  CONSTRAINT status_probe_is_one CHECK (id = 1)
);
