-- The wallet lists refunds like charges (docs/spec/portal.md, Wallet), so a refund names its payer and agent, as its
-- charge does. These statements take milliseconds and can be repeated: see
-- docs/runbooks/rolling-upgrades.md, An index on a large table.
ALTER TABLE refund ADD COLUMN IF NOT EXISTS payer_id text, ADD COLUMN IF NOT EXISTS agent_client_id text;

-- During an upgrade, nodes of the previous version insert refunds without these columns, and update refunds that the
-- next migration hasn't reached yet. A later release drops the trigger.
CREATE OR REPLACE FUNCTION fill_refund_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT c.payer_id, c.agent_client_id INTO NEW.payer_id, NEW.agent_client_id
    FROM charge c WHERE c.id = NEW.charge_id;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER refund_fill_payer BEFORE INSERT OR UPDATE ON refund
  FOR EACH ROW WHEN (NEW.payer_id IS NULL) EXECUTE FUNCTION fill_refund_payer();

ALTER TABLE refund DROP CONSTRAINT IF EXISTS refund_payer;
ALTER TABLE refund ADD CONSTRAINT refund_payer CHECK (payer_id IS NOT NULL AND agent_client_id IS NOT NULL) NOT VALID;
