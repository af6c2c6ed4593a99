-- News of a payment that no longer carries our mark finds its charge by the processor's own id (docs/spec/payments.md,
-- Processors).
CREATE INDEX "charge_processor_ref" ON "charge" ("processor_ref") WHERE "processor_ref" IS NOT NULL;
