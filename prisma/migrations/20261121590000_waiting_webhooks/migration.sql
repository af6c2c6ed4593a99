-- What waits for an endpoint, for those who say that it has a moment: whoever looks for an object's earlier delivery has
-- "webhook_delivery_untried", and read by this one all that waited for the endpoint, for each delivery
-- (docs/spec/payments.md, Webhooks).
CREATE INDEX "webhook_delivery_waiting_until" ON "webhook_delivery" ("endpoint_id", "next_attempt_at")
  WHERE "state" = 'pending' AND "next_attempt_at" IS NOT NULL;
DROP INDEX "webhook_delivery_waiting";
ALTER INDEX "webhook_delivery_waiting_until" RENAME TO "webhook_delivery_waiting";
