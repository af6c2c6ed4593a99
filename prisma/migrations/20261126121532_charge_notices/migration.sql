-- A charge that a merchant announces to the payer. It reserves nothing. It is `charged` once a charge with its amount
-- and reference is made, `canceled` when the merchant withdraws it, and otherwise its dates decide.
CREATE TABLE charge_notice (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  merchant_client_id text NOT NULL,
  idempotency_key text NOT NULL,
  body_hash text NOT NULL,
  mandate_id text NOT NULL REFERENCES mandate (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  payer_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency char(3) NOT NULL,
  reference text,
  due_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  canceled_at timestamptz(3),
  charge_id text
);
CREATE UNIQUE INDEX charge_notice_merchant_id_idempotency_key_key ON charge_notice (merchant_id, idempotency_key);
CREATE INDEX charge_notice_merchant_id_created_at_id_idx ON charge_notice (merchant_id, created_at, id);
CREATE INDEX charge_notice_payer_id_due_at_id_idx ON charge_notice (payer_id, due_at, id);
-- The statement that settles a charge looks for its notice here.
CREATE INDEX charge_notice_open ON charge_notice (mandate_id, due_at) WHERE charge_id IS NULL AND canceled_at IS NULL;
-- Old notices leave in small batches.
CREATE INDEX charge_notice_due_at_idx ON charge_notice (due_at);
