-- How long endpoints took, hour by hour: a histogram that every web process adds to once a minute (server/metrics/rules/durations.ts).
CREATE TABLE "latency_hour" (
    "operation" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "requests" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "counts" BIGINT[] NOT NULL,

    CONSTRAINT "latency_hour_pkey" PRIMARY KEY ("operation","hour")
);
CREATE INDEX "latency_hour_hour_idx" ON "latency_hour"("hour");
