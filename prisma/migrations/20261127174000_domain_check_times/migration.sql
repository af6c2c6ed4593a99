-- When a claimed domain was last checked, and when the daily checks ended its verification, for the merchant's page.

ALTER TABLE participant_domain ADD COLUMN checked_at timestamptz(3), ADD COLUMN unverified_at timestamptz(3);
