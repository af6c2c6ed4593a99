-- What waits for one endpoint, whatever the others' backlog (docs/spec/payments.md, Webhooks).
CREATE INDEX "webhook_delivery_waiting" ON "webhook_delivery"("endpoint_id", "next_attempt_at") WHERE "state" = 'pending';
