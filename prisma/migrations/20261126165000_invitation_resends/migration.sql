-- How often an invitation to a team was sent again in 24 hours (docs/spec/portal.md, Team).
ALTER TABLE merchant_invitation ADD COLUMN resends integer NOT NULL DEFAULT 0, ADD COLUMN resends_since timestamptz(3);
