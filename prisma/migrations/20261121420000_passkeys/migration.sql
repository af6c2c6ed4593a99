-- Passkeys (WebAuthn) and what they are asked to sign.
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "is_backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "passkey_counter" CHECK ("counter" BETWEEN 0 AND 4294967295),
    CONSTRAINT "passkey_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");
CREATE INDEX "passkey_account_id_idx" ON "passkey"("account_id");

CREATE TYPE "passkey_purpose" AS ENUM ('add', 'sign_in', 'confirm');
CREATE TABLE "passkey_challenge" (
    "hash" TEXT NOT NULL,
    "purpose" "passkey_purpose" NOT NULL,
    "session_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("hash"),
    -- Without a session it opens one, and does nothing else.
    CONSTRAINT "passkey_challenge_session" CHECK (("session_id" IS NULL) = ("purpose" = 'sign_in'))
);
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");
