-- The result of the last fetch of a federation entity's configuration.

ALTER TABLE participant_federation_entity
  ADD COLUMN fetched_at timestamptz(3),
  ADD COLUMN problem text,
  ADD COLUMN left_at timestamptz(3);
