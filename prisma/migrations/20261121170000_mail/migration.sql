-- Mail (docs/spec/operations.md, E-mail): what waits, what was sent, and what an outbox keeps. By day, for thirty days.
CREATE TYPE "mail_state" AS ENUM ('pending', 'kept', 'sent', 'failed');

ALTER TABLE "mail" RENAME TO "mail_before";
ALTER TABLE "mail_before" DROP CONSTRAINT "mail_pkey";
DROP INDEX "mail_created_at_idx";

CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "state" "mail_state" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "useless_after" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id", "created_at"),
    CONSTRAINT "mail_due" CHECK (("state" = 'pending') = ("next_attempt_at" IS NOT NULL)),
    CONSTRAINT "mail_ended" CHECK (("state" = 'pending') = ("ended_at" IS NULL)),
    -- What stands in a header is one line.
    CONSTRAINT "mail_headers" CHECK ("subject" !~ '[[:cntrl:]]' AND "recipient" !~ '[[:cntrl:]]')
) PARTITION BY RANGE ("created_at");
CREATE TABLE "mail_default" PARTITION OF "mail" DEFAULT;
CREATE INDEX "mail_created_at_id_idx" ON "mail"("created_at", "id");
CREATE INDEX "mail_next" ON "mail"("next_attempt_at") WHERE "state" = 'pending';

SELECT "ensure_partitions"('mail', date_trunc('day', now(), 'UTC'), '1 day', 3);

-- Until now the one kind there was, and nothing was ever sent.
INSERT INTO "mail" ("id", "kind", "recipient", "subject", "text", "html", "state", "created_at", "next_attempt_at")
SELECT "id", 'webhook_endpoint_off', "recipient", "subject", "text",
       '<pre>' || replace(replace("text", '&', '&amp;'), '<', '&lt;') || '</pre>', 'pending', "created_at", "created_at"
  FROM "mail_before";
DROP TABLE "mail_before";
