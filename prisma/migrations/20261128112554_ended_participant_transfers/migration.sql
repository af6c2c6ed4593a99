-- Ended offers are deleted after 90 days.

CREATE INDEX participant_transfer_ended_at_idx ON participant_transfer (ended_at);
