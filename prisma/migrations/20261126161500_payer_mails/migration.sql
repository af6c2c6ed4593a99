-- Bounds of the e-mails to payers (docs/spec/portal.md, Notifications).
ALTER TABLE mandate ADD COLUMN failure_mail_at timestamptz(3), ADD COLUMN limit_mails jsonb;

-- To erase the e-mails of a deleted account.
CREATE INDEX IF NOT EXISTS mail_recipient_idx ON mail (recipient);
