-- The deletion of expired rows reads only the rows that it deletes.

-- New rows use the space of deleted rows, so after some months each range of the BRIN index contained old and new slots.
CREATE INDEX charge_sum_slot_idx ON charge_sum (slot);
DROP INDEX charge_sum_slot;

CREATE INDEX status_subscriber_unconfirmed ON status_subscriber (confirm_expires_at) WHERE confirmed_at IS NULL;
