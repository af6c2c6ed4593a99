-- The kinds of events that an endpoint is sent; none named: every kind.
ALTER TABLE "webhook_endpoint" ADD COLUMN "event_types" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
