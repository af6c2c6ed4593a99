-- Earlier states of the status lists (docs/spec/payments.md, Status lists: for 90 days). What came before this
-- migration is not known.
ALTER TABLE "status_list" ADD COLUMN "opened_at" TIMESTAMPTZ(3);
UPDATE "status_list" SET "opened_at" = now();
ALTER TABLE "status_list" ALTER COLUMN "opened_at" SET NOT NULL;

ALTER TABLE "mandate_version" ADD COLUMN "revoked_at" TIMESTAMPTZ(3);
UPDATE "mandate_version" SET "revoked_at" = now() WHERE "revoked";

CREATE TABLE "status_suspension" (
    "id" BIGSERIAL NOT NULL,
    "list_number" INTEGER NOT NULL,
    "status_index" INTEGER NOT NULL,
    "suspended_at" TIMESTAMPTZ(3) NOT NULL,
    "lifted_at" TIMESTAMPTZ(3),

    CONSTRAINT "status_suspension_pkey" PRIMARY KEY ("id")
);
INSERT INTO "status_suspension" ("list_number", "status_index", "suspended_at")
SELECT "list_number", "status_index", now() FROM "mandate_version" WHERE "suspended";

CREATE INDEX "status_suspension_list_number_status_index_idx" ON "status_suspension"("list_number", "status_index");
CREATE INDEX "status_suspension_lifted_at_idx" ON "status_suspension"("lifted_at");
