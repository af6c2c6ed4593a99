-- AlterTable
ALTER TABLE "signing_key" ADD COLUMN "published_at" TIMESTAMPTZ(3);

UPDATE "signing_key" SET "published_at" = now() WHERE "state" = 'next';
