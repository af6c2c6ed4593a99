-- Verified domains are checked daily. Without a time, a domain's next check is due at once.
ALTER TABLE participant_domain
  ADD COLUMN proved_at timestamptz(3),
  ADD COLUMN check_due_at timestamptz(3),
  ADD COLUMN failed_checks integer NOT NULL DEFAULT 0;

CREATE INDEX participant_domain_check_due ON participant_domain (check_due_at NULLS FIRST) WHERE verified_at IS NOT NULL;
