-- AlterTable
ALTER TABLE "client" ADD COLUMN     "former_token_hash" TEXT,
ADD COLUMN     "widest_scopes" TEXT[];

-- CreateTable
CREATE TABLE "client_key_set" (
    "client_id" TEXT NOT NULL,
    "jwks" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "loaded_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "retry_at" TIMESTAMPTZ(3),
    "refetched_at" TIMESTAMPTZ(3),
    "is_refetching" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "client_key_set_pkey" PRIMARY KEY ("client_id")
);

-- AddForeignKey
ALTER TABLE "client_key_set" ADD CONSTRAINT "client_key_set_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What fixed a client so far, kept with the client itself.
UPDATE "client" SET "widest_scopes" = "initial_access_token"."scopes"
  FROM "initial_access_token" WHERE "initial_access_token"."id" = "client"."initial_access_token_id";
