-- A reset of the sandbox that has emptied it and not filled it again yet: whoever finds it begins anew. Production has none.
ALTER TABLE "environment" ADD COLUMN "reset_begun_at" timestamptz(3);
ALTER TABLE "environment" ADD CONSTRAINT "environment_reset" CHECK ("reset_begun_at" IS NULL OR "kind" = 'sandbox');
