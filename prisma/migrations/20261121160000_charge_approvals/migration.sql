-- When the payer approved a charge above step_up_above: written by the statement that makes it submitted.
ALTER TABLE "charge" ADD COLUMN "approved_at" timestamptz(3);
ALTER TABLE "charge" ADD CONSTRAINT "charge_approved" CHECK ("approved_at" IS NULL OR "submitted_at" IS NOT NULL);
