-- A change of e-mail address ends with the session that began it.
ALTER TABLE email_change ADD COLUMN session_id TEXT REFERENCES session (id) ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX email_change_session_id_idx ON email_change (session_id);

-- The code of an authenticator app confirms a secret only in the session that the secret was shown to.
ALTER TABLE account_totp ADD COLUMN session_id TEXT;
