-- When the last mails that ask a mandate's payer went out: there is a most of them in an hour (docs/spec/payments.md,
-- Step-up).
ALTER TABLE "mandate" ADD COLUMN "approval_mails_at" TIMESTAMPTZ(3)[];
