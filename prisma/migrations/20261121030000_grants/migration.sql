-- The last consent to a replacement of what the grant allows (grant_management_action=replace).
ALTER TABLE "grant" ADD COLUMN "replaced_at" TIMESTAMPTZ(3);

-- A replacement ends the codes that the grant has still outstanding.
CREATE INDEX "authorization_code_grant_id_idx" ON "authorization_code"("grant_id");
