-- What the processor reports about an account. `version` counts the reports: a report is recorded only if no other
-- report was recorded since it was requested.
ALTER TABLE processor_onboarding
  ADD COLUMN requirements_past_due text[],
  ADD COLUMN requirements_pending text[],
  ADD COLUMN due_by timestamptz(3),
  ADD COLUMN version integer NOT NULL DEFAULT 0;

-- Written before the request is sent, so that a repeated request creates no second account.
CREATE TABLE processor_account_request (
  merchant_id text PRIMARY KEY REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  key text NOT NULL,
  details jsonb NOT NULL,
  requested_at timestamptz(3) NOT NULL
);

-- An event names the account only.
CREATE UNIQUE INDEX merchant_connected_account ON merchant (processor_account)
  WHERE processor = 'stripe' AND processor_account <> '';
