-- Sealed successors of rotated refresh tokens, oldest first: they leave 30 seconds after the rotation.
CREATE INDEX "refresh_token_sealed" ON "refresh_token" ("rotated_at") WHERE "successor_sealed" IS NOT NULL;
