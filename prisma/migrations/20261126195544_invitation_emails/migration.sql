-- One row for each invitation to a team that was sent by e-mail, for the limit in 24 hours (docs/spec/portal.md, Team).
CREATE TABLE merchant_invitation_email (
  token_hash text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  sent_at timestamptz(3) NOT NULL
);
CREATE INDEX merchant_invitation_email_merchant_id_sent_at_idx ON merchant_invitation_email (merchant_id, sent_at);
CREATE INDEX merchant_invitation_email_sent_at_idx ON merchant_invitation_email (sent_at);

-- E-mails that were sent before this migration. Only the newest link of an invitation is known, so earlier e-mails get
-- a number in place of the hash.
INSERT INTO merchant_invitation_email (token_hash, merchant_id, sent_at)
SELECT CASE n WHEN 0 THEN i.token_hash ELSE i.id || '_' || n END, i.merchant_id, i.sent_at
  FROM merchant_invitation i
 CROSS JOIN LATERAL generate_series(0, CASE WHEN i.resends_since > now() - interval '1 day' THEN i.resends ELSE 0 END) n
 WHERE i.sent_at > now() - interval '1 day';
