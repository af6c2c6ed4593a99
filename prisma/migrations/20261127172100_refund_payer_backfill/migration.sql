-- A migration of its own, so that these long statements don't run under the table's lock. Both allow reads and inserts.
UPDATE refund r SET payer_id = c.payer_id, agent_client_id = c.agent_client_id
  FROM charge c WHERE c.id = r.charge_id AND r.payer_id IS NULL;
ALTER TABLE refund VALIDATE CONSTRAINT refund_payer;
