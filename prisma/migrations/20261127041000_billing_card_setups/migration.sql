-- Cards with which merchants pay their invoices, entered at the processor (docs/spec/billing.md, Collection).

-- A page of the processor on which a member enters a card. It is open until the outcome is known.
CREATE TABLE billing_card_setup (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON UPDATE CASCADE,
  processor text NOT NULL,
  -- assigned by the processor
  setup_ref text NOT NULL,
  -- `ended`: without a card, or because another card was set meanwhile
  state text NOT NULL DEFAULT 'open',
  -- of the card that was set, as shown
  label text,
  -- account of the member who opened the page
  begun_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- when the page expires
  expires_at timestamptz(3) NOT NULL,
  -- real time of the next look-up
  next_lookup_at timestamptz(3),
  lookups integer NOT NULL DEFAULT 0,
  CONSTRAINT billing_card_setup_state CHECK (state IN ('open', 'added', 'ended')),
  CONSTRAINT billing_card_setup_open CHECK ((state = 'open') = (next_lookup_at IS NOT NULL)),
  CONSTRAINT billing_card_setup_added CHECK ((state = 'added') = (label IS NOT NULL)),
  UNIQUE (processor, setup_ref)
);
CREATE INDEX billing_card_setup_open_of_merchant ON billing_card_setup (merchant_id) WHERE state = 'open';
CREATE INDEX billing_card_setup_due ON billing_card_setup (next_lookup_at) WHERE next_lookup_at IS NOT NULL;
CREATE INDEX billing_card_setup_expired ON billing_card_setup (expires_at);
