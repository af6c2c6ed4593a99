-- How far the sandbox's business time is ahead of real time; production's never is.
ALTER TABLE "environment" ADD COLUMN "clock_offset_ms" bigint NOT NULL DEFAULT 0;
ALTER TABLE "environment" ADD CONSTRAINT "environment_clock"
  CHECK ("clock_offset_ms" = 0 OR ("clock_offset_ms" > 0 AND "kind" = 'sandbox'));
