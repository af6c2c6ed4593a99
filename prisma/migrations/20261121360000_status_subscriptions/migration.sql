-- Subscriptions to the status page (docs/spec/status.md, Notifications): what was asked for waits until its address
-- agrees.
ALTER TABLE "status_subscriber" ADD COLUMN "wished_components" TEXT[];
CREATE UNIQUE INDEX "status_subscriber_confirm_hash_key" ON "status_subscriber"("confirm_hash");

-- Where a mail's reader unsubscribes with one click (RFC 8058).
ALTER TABLE "mail" ADD COLUMN "unsubscribe_url" TEXT;
ALTER TABLE "mail" ADD CONSTRAINT "mail_unsubscribe_url" CHECK ("unsubscribe_url" !~ '[[:cntrl:][:space:]<>]');
