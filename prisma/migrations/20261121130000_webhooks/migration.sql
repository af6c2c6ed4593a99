-- Webhooks (docs/spec/payments.md, Webhooks).
CREATE TYPE "webhook_owner_kind" AS ENUM ('client', 'merchant');
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'delivered', 'failed', 'stopped');

CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "owner_kind" "webhook_owner_kind" NOT NULL,
    "owner_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "succeeded_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_endpoint_disabled" CHECK (("disabled_at" IS NULL) = ("disabled_reason" IS NULL))
);
CREATE INDEX "webhook_endpoint_owner_id_idx" ON "webhook_endpoint"("owner_id");
-- An agent has one webhook_uri.
CREATE UNIQUE INDEX "webhook_endpoint_client" ON "webhook_endpoint"("owner_id") WHERE "owner_kind" = 'client';

CREATE TABLE "webhook_secret" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_secret_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_secret_endpoint_id_idx" ON "webhook_secret"("endpoint_id");
CREATE UNIQUE INDEX "webhook_secret_present" ON "webhook_secret"("endpoint_id") WHERE "expires_at" IS NULL;

CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "event_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "state" "webhook_delivery_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "tried_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "replay_of" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id", "created_at"),
    CONSTRAINT "webhook_delivery_due" CHECK (("state" = 'pending') = ("next_attempt_at" IS NOT NULL))
) PARTITION BY RANGE ("created_at");
CREATE TABLE "webhook_delivery_default" PARTITION OF "webhook_delivery" DEFAULT;
CREATE INDEX "webhook_delivery_endpoint_id_created_at_idx" ON "webhook_delivery"("endpoint_id", "created_at");
CREATE INDEX "webhook_delivery_next" ON "webhook_delivery"("next_attempt_at") WHERE "state" = 'pending';
-- What first tries of later events of the same object wait for.
CREATE INDEX "webhook_delivery_untried" ON "webhook_delivery"("endpoint_id", "object_id", "sequence") WHERE "state" = 'pending' AND "tried_at" IS NULL;

CREATE TABLE "webhook_attempt" (
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "delivery_at" TIMESTAMPTZ(3) NOT NULL,
    "url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "milliseconds" INTEGER,
    "status" INTEGER,
    "problem" TEXT,
    "body_start" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id", "number", "delivery_at")
) PARTITION BY RANGE ("delivery_at");
CREATE TABLE "webhook_attempt_default" PARTITION OF "webhook_attempt" DEFAULT;

SELECT "ensure_partitions"('webhook_delivery', date_trunc('day', now(), 'UTC'), '1 day', 3);
SELECT "ensure_partitions"('webhook_attempt', date_trunc('day', now(), 'UTC'), '1 day', 3);
