-- What a merchant presented is good for one charge: the row is written by the transaction that reserves it.
CREATE TABLE "credential_use" (
    "mandate_id" TEXT NOT NULL,
    "use_hash" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "charged_at" TIMESTAMPTZ(3) NOT NULL,
    "spend_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credential_use_pkey" PRIMARY KEY ("mandate_id", "use_hash")
);

-- A charge that was never sent gives its presentation back.
CREATE UNIQUE INDEX "credential_use_charge_id_key" ON "credential_use"("charge_id");

-- What was spent with one mandate token.
CREATE INDEX "credential_use_spend_id_idx" ON "credential_use"("spend_id");

CREATE INDEX "credential_use_expires_at_idx" ON "credential_use"("expires_at");
