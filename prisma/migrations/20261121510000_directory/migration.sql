-- The discovery directory: who takes part. Merchants and the owners of agents that exist become participants.
CREATE TABLE "participant" (
    "id" TEXT NOT NULL,
    "roles" TEXT[],
    "merchant_id" TEXT,
    "display_name" TEXT NOT NULL,
    "legal_name" TEXT,
    "website_uri" TEXT,
    "logo_uri" TEXT,
    "contacts" TEXT[],
    "withdrawn_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "participant_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "participant_domain" (
    "participant_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "participant_domain_pkey" PRIMARY KEY ("participant_id", "domain")
);

CREATE TABLE "participant_version" (
    "participant_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "change" TEXT NOT NULL,
    "entry" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "participant_version_pkey" PRIMARY KEY ("participant_id", "version")
);

ALTER TABLE "client" ADD COLUMN "participant_id" TEXT;
ALTER TABLE "initial_access_token" ADD COLUMN "participant_id" TEXT;

INSERT INTO "participant" ("id", "roles", "merchant_id", "display_name", "legal_name", "contacts", "created_at", "updated_at")
SELECT 'ptc_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), '{merchant}', "id", "display_name", "legal_name", '{}',
       "created_at", now()
  FROM "merchant" WHERE NOT "is_probe";
UPDATE "client" c SET "participant_id" = p."id" FROM "participant" p WHERE p."merchant_id" = c."merchant_id";

UPDATE "client" SET "participant_id" = 'ptc_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 24)
 WHERE "kind" = 'agent' AND NOT "is_probe" AND "deleted_at" IS NULL;
INSERT INTO "participant" ("id", "roles", "display_name", "contacts", "created_at", "updated_at")
SELECT "participant_id", '{client}', "name", '{}', "created_at", now()
  FROM "client" WHERE "kind" = 'agent' AND "participant_id" IS NOT NULL;

INSERT INTO "participant_version" ("participant_id", "version", "change", "entry", "at")
SELECT "id", 1, 'registered',
       jsonb_build_object('roles', "roles", 'display_name', "display_name", 'legal_name', "legal_name", 'website_uri', "website_uri",
                          'logo_uri', "logo_uri", 'contacts', "contacts", 'verified_domains', '[]'::jsonb, 'withdrawn', false),
       "created_at"
  FROM "participant";

CREATE UNIQUE INDEX "participant_merchant_id_key" ON "participant"("merchant_id");
CREATE INDEX "participant_updated_at_id_idx" ON "participant"("updated_at", "id");
CREATE INDEX "participant_domain_domain_idx" ON "participant_domain"("domain");
CREATE INDEX "client_participant_id_idx" ON "client"("participant_id");
CREATE INDEX "initial_access_token_participant_id_created_at_idx" ON "initial_access_token"("participant_id", "created_at");
-- A search for the beginnings of words.
CREATE INDEX "participant_names" ON "participant"
 USING gin (to_tsvector('simple'::regconfig, "display_name" || ' ' || coalesce("legal_name", '')));

ALTER TABLE "participant" ADD CONSTRAINT "participant_merchant_id_fkey"
    FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "participant_domain" ADD CONSTRAINT "participant_domain_participant_id_fkey"
    FOREIGN KEY ("participant_id") REFERENCES "participant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "participant_version" ADD CONSTRAINT "participant_version_participant_id_fkey"
    FOREIGN KEY ("participant_id") REFERENCES "participant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "client" ADD CONSTRAINT "client_participant_id_fkey"
    FOREIGN KEY ("participant_id") REFERENCES "participant"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "initial_access_token" ADD CONSTRAINT "initial_access_token_participant_id_fkey"
    FOREIGN KEY ("participant_id") REFERENCES "participant"("id") ON DELETE SET NULL ON UPDATE CASCADE;
