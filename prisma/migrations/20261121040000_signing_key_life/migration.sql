-- AlterEnum
ALTER TYPE "key_state" ADD VALUE 'deleted';

-- AlterTable
ALTER TABLE "signing_key" ADD COLUMN "rotation_asked_at" TIMESTAMPTZ(3),
ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN "revoked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "mandate_version" ADD COLUMN "credential_kid" TEXT;

-- Private halves are sealed for kid and purpose from here on, and only whoever holds the master key could seal anew: the
-- keys so far retire, and the service makes others when it starts.
UPDATE "signing_key" SET "state" = 'retired', "retired_at" = now(), "private_sealed" = NULL,
  "activated_at" = coalesce("activated_at", "created_at"), "publish_until" = now() + interval '400 days'
WHERE "state" IN ('next', 'active');
UPDATE "signing_key" SET "private_sealed" = NULL WHERE "state" IN ('retired', 'revoked');
UPDATE "signing_key" SET "revoked_at" = now() WHERE "state" = 'revoked';

-- A private half exists exactly as long as it may sign.
ALTER TABLE "signing_key" ADD CONSTRAINT "signing_key_private_half"
  CHECK (("private_sealed" IS NOT NULL) = ("state" IN ('next', 'active')));
ALTER TABLE "signing_key" ADD CONSTRAINT "signing_key_life" CHECK (
  ("state" NOT IN ('active', 'retired') OR "activated_at" IS NOT NULL)
  AND ("state" <> 'retired' OR ("retired_at" IS NOT NULL AND "publish_until" IS NOT NULL))
  AND (("revoked_at" IS NOT NULL) = ("state" = 'revoked'))
);
CREATE UNIQUE INDEX "signing_key_one_next" ON "signing_key" ("purpose") WHERE "state" = 'next';
CREATE INDEX "mandate_version_credential_kid" ON "mandate_version" ("credential_kid") WHERE "credential_kid" IS NOT NULL;
