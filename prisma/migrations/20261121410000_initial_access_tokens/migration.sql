-- People make and revoke initial access tokens (docs/spec/oauth.md, Client registration): what they read of them in
-- their lists.
ALTER TABLE "initial_access_token"
    ADD COLUMN "label" TEXT,
    ADD COLUMN "made_by" TEXT,
    ADD COLUMN "last_used_at" TIMESTAMPTZ(3),
    ADD COLUMN "revoked_at" TIMESTAMPTZ(3);

CREATE INDEX "initial_access_token_merchant_id_created_at_idx" ON "initial_access_token"("merchant_id", "created_at");

UPDATE "initial_access_token" t SET "made_by" = a."actor_id"
  FROM "audit_entry" a WHERE a."action" = 'initial_access_token.created' AND a."subject_id" = t."id";
UPDATE "initial_access_token" t SET "last_used_at" = c."at"
  FROM (SELECT "initial_access_token_id" AS "id", max("created_at") AS "at" FROM "client" GROUP BY 1) c WHERE c."id" = t."id";
