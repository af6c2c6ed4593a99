-- When a grant was replaced last, by the clock that tokens go by (Grant Management §5.2).
ALTER TABLE "grant" ADD COLUMN "reauthorized_at" TIMESTAMPTZ(3);
