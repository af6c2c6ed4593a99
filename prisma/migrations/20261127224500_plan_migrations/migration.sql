-- The versions to which subscriptions on earlier versions move at the start of their next period. A version that isn't in
-- effect yet doesn't end the migration to an earlier one.
CREATE TABLE billing_plan_migration (
  plan_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (plan_id, version),
  FOREIGN KEY (plan_id, version) REFERENCES billing_plan_version (plan_id, version)
);
INSERT INTO billing_plan_migration (plan_id, version) SELECT id, migrates_to FROM billing_plan WHERE migrates_to IS NOT NULL;
ALTER TABLE billing_plan DROP COLUMN migrates_to;
