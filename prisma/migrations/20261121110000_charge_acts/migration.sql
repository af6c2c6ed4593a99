-- A capture or void on its way to the processor: at most one per charge, written before it is sent.
ALTER TABLE "charge" ADD COLUMN "pending_act" jsonb;
ALTER TABLE "charge" ADD CONSTRAINT "charge_pending_act" CHECK ("pending_act" IS NULL OR "state" = 'authorized');
