-- Whose personal data an e-mail has, besides that of the account with its address. The erasure of an account removes
-- these e-mails too (docs/spec/portal.md, Privacy).
ALTER TABLE mail ADD COLUMN former_recipient_id text, ADD COLUMN about_account_id text;
CREATE INDEX mail_former_recipient ON mail (former_recipient_id) WHERE former_recipient_id IS NOT NULL;
CREATE INDEX mail_about_account ON mail (about_account_id) WHERE about_account_id IS NOT NULL;
