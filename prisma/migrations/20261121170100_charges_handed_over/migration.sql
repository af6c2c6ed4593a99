-- What the reconciler handed over to an operator (docs/spec/payments.md, Reconciliation): few, and looked for across
-- all tenants.
CREATE INDEX "charge_handed_over" ON "charge" ("created_at", "id") WHERE "state" = 'unknown' AND "next_lookup_at" IS NULL;
