-- The status page's data (docs/spec/status.md, Components and states): changes, incidents, maintenance, postmortems,
-- subscribers, alerts. Production's alone; in the sandbox's database it stays empty.
CREATE TYPE "component_state" AS ENUM ('operational', 'degraded', 'partial_outage', 'major_outage', 'maintenance', 'unknown');
CREATE TYPE "status_source" AS ENUM ('probe', 'operator', 'cascade');

CREATE TYPE "incident_state" AS ENUM ('draft', 'investigating', 'identified', 'monitoring', 'resolved', 'dismissed');

CREATE TYPE "incident_impact" AS ENUM ('none', 'minor', 'major', 'critical');

CREATE TYPE "maintenance_state" AS ENUM ('scheduled', 'in_progress', 'completed', 'cancelled');

CREATE TYPE "subscriber_kind" AS ENUM ('email', 'webhook');

CREATE TYPE "alert_rule" AS ENUM ('page_fast', 'page_slow', 'ticket');

CREATE TABLE "component_change" (
    "id" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "source" "status_source" NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "state" "component_state" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "component_change_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "component_heartbeat" (
    "component" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "component_heartbeat_pkey" PRIMARY KEY ("component")
);

CREATE TABLE "component_day" (
    "component" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "figures" JSONB NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "component_day_pkey" PRIMARY KEY ("component","day")
);

CREATE TABLE "incident" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "state" "incident_state" NOT NULL,
    "impact" "incident_impact" NOT NULL,
    "source" "status_source" NOT NULL,
    "opened_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "public_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "incident_component" (
    "incident_id" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "state" "component_state" NOT NULL,

    CONSTRAINT "incident_component_pkey" PRIMARY KEY ("incident_id","component")
);

CREATE TABLE "incident_update" (
    "id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "state" "incident_state" NOT NULL,
    "text" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_update_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "maintenance" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "state" "maintenance_state" NOT NULL,
    "components" TEXT[],
    "announced_at" TIMESTAMPTZ(3) NOT NULL,
    "scheduled_from" TIMESTAMPTZ(3) NOT NULL,
    "scheduled_to" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "actor" TEXT NOT NULL,

    CONSTRAINT "maintenance_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "maintenance_update" (
    "id" TEXT NOT NULL,
    "maintenance_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "state" "maintenance_state" NOT NULL,
    "text" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "maintenance_update_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "postmortem" (
    "incident_id" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "timeline" TEXT NOT NULL,
    "causes" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "author" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "postmortem_pkey" PRIMARY KEY ("incident_id")
);

CREATE TABLE "postmortem_action" (
    "id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "due_on" DATE NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "postmortem_action_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "status_subscriber" (
    "id" TEXT NOT NULL,
    "kind" "subscriber_kind" NOT NULL,
    "address_hash" TEXT NOT NULL,
    "address_sealed" BYTEA NOT NULL,
    "secret_sealed" BYTEA,
    "components" TEXT[],
    "confirm_hash" TEXT,
    "confirm_expires_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_subscriber_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "status_notice" (
    "subscriber_id" TEXT NOT NULL,
    "update_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "given_up_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "status_notice_pkey" PRIMARY KEY ("subscriber_id","update_id")
);

CREATE TABLE "status_alert" (
    "id" TEXT NOT NULL,
    "component" TEXT NOT NULL,
    "rule" "alert_rule" NOT NULL,
    "burn_rate" DECIMAL(65,30) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "status_alert_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "component_change_at_idx" ON "component_change"("at");

CREATE INDEX "incident_started_at_idx" ON "incident"("started_at");

CREATE UNIQUE INDEX "incident_update_incident_id_sequence_key" ON "incident_update"("incident_id", "sequence");

CREATE INDEX "maintenance_scheduled_from_idx" ON "maintenance"("scheduled_from");

CREATE UNIQUE INDEX "maintenance_update_maintenance_id_sequence_key" ON "maintenance_update"("maintenance_id", "sequence");

CREATE UNIQUE INDEX "postmortem_action_incident_id_position_key" ON "postmortem_action"("incident_id", "position");

CREATE UNIQUE INDEX "status_subscriber_kind_address_hash_key" ON "status_subscriber"("kind", "address_hash");

CREATE INDEX "status_notice_created_at_idx" ON "status_notice"("created_at");

CREATE INDEX "status_alert_started_at_idx" ON "status_alert"("started_at");

ALTER TABLE "incident_component" ADD CONSTRAINT "incident_component_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "incident_update" ADD CONSTRAINT "incident_update_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "maintenance_update" ADD CONSTRAINT "maintenance_update_maintenance_id_fkey" FOREIGN KEY ("maintenance_id") REFERENCES "maintenance"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "postmortem" ADD CONSTRAINT "postmortem_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "postmortem_action" ADD CONSTRAINT "postmortem_action_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "postmortem"("incident_id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "status_notice" ADD CONSTRAINT "status_notice_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "status_subscriber"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was measured or told is never rewritten.
CREATE TRIGGER "component_change_append_only" BEFORE UPDATE OR DELETE ON "component_change"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "component_day_append_only" BEFORE UPDATE OR DELETE ON "component_day"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "incident_update_append_only" BEFORE UPDATE OR DELETE ON "incident_update"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "maintenance_update_append_only" BEFORE UPDATE OR DELETE ON "maintenance_update"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "maintenance" ADD CONSTRAINT "maintenance_window" CHECK ("scheduled_to" > "scheduled_from");
ALTER TABLE "incident" ADD CONSTRAINT "incident_resolved" CHECK (("state" = 'resolved') = ("resolved_at" IS NOT NULL));
