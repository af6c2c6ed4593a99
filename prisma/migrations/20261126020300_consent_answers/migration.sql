-- The answer to a request, repeated to whoever sends the same form twice, and what was typed before there was one.
ALTER TABLE "pushed_request"
  ADD COLUMN "draft" jsonb,
  ADD COLUMN "consent_id" text,
  ADD COLUMN "answer_hash" text,
  ADD COLUMN "answer_sealed" text;
