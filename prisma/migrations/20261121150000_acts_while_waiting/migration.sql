-- What waits for its payer at the processor can be voided too, and ends there when the payer doesn't act.
ALTER TABLE "charge" DROP CONSTRAINT "charge_pending_act";
ALTER TABLE "charge" ADD CONSTRAINT "charge_pending_act" CHECK ("pending_act" IS NULL OR "state" IN ('authorized', 'requires_action'));
