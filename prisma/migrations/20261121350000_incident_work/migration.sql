-- The UTC day on which operators were last reminded of its postmortem: one mail a day.
ALTER TABLE "incident" ADD COLUMN "postmortem_reminded_on" DATE;

-- What operators said of one incident or maintenance.
CREATE INDEX "component_change_subject_at_idx" ON "component_change"("subject", "at");
