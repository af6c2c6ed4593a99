-- Only what asks for a moment finds by it: whoever looks for an object's earlier deliveries has "webhook_delivery_untried",
-- and read by this one all that waited for the endpoint, for each delivery (2-payments, Webhooks).
DROP INDEX "webhook_delivery_waiting";
CREATE INDEX "webhook_delivery_waiting" ON "webhook_delivery" ("endpoint_id", "next_attempt_at")
  WHERE "state" = 'pending' AND "next_attempt_at" IS NOT NULL;
