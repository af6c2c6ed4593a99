-- Tenants of the status page's own trials: left out of meters, figures, the directory and mail.
ALTER TABLE "account" ADD COLUMN "is_probe" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "client" ADD COLUMN "is_probe" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "merchant" ADD COLUMN "is_probe" BOOLEAN NOT NULL DEFAULT false;

-- One row: what the status process asks for, public keys and the hash of a secret of its own, and what a job gave it.
CREATE TABLE "status_probe" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "agent_key" JSONB NOT NULL,
    "merchant_key" JSONB NOT NULL,
    "asked_hash" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "payer_id" TEXT,
    "merchant_id" TEXT,
    "agent_client_id" TEXT,
    "merchant_client_id" TEXT,
    "grant_id" TEXT,
    "mandate_id" TEXT,
    "granted_hash" TEXT,

    CONSTRAINT "status_probe_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "status_probe_is_one" CHECK ("id" = 1)
);
