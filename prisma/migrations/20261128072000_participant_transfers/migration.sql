-- Offers of a merchant's directory entry to another merchant.

CREATE TABLE participant_transfer (
  id text PRIMARY KEY,
  participant_id text NOT NULL REFERENCES participant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  from_merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  to_merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  state text NOT NULL CHECK (state IN ('offered', 'accepted', 'declined', 'cancelled', 'expired')),
  offered_by text NOT NULL,
  offered_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_by text,
  ended_at timestamptz(3),
  CHECK ((state = 'offered') = (ended_at IS NULL)),
  CHECK (from_merchant_id <> to_merchant_id)
);

CREATE UNIQUE INDEX participant_transfer_open ON participant_transfer (participant_id) WHERE state = 'offered';
CREATE INDEX participant_transfer_received ON participant_transfer (to_merchant_id, offered_at, id) WHERE state = 'offered';
CREATE INDEX participant_transfer_due ON participant_transfer (expires_at) WHERE state = 'offered';
CREATE INDEX participant_transfer_from_merchant_id_offered_at_idx ON participant_transfer (from_merchant_id, offered_at);
