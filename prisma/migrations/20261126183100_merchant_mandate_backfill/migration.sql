-- A migration of its own, so that the long statements below don't run under the lock of the new trigger.
-- Rows of merchants that replaced mandates no longer name.
DELETE FROM merchant_mandate r USING mandate m
 WHERE m.id = r.mandate_id AND (r.merchant_id = ANY (m.payee_merchant_ids)) IS NOT TRUE
   AND NOT EXISTS (SELECT FROM charge c WHERE c.mandate_id = r.mandate_id AND c.merchant_id = r.merchant_id);

-- 20261126171000_merchant_mandates filled the table before its triggers existed, and missed the rows of that time.
INSERT INTO merchant_mandate
SELECT payee, m.id, m.created_at FROM mandate m, unnest(m.payee_merchant_ids) payee WHERE m.state <> 'rejected'
ON CONFLICT DO NOTHING;
INSERT INTO merchant_mandate
SELECT c.merchant_id, c.mandate_id, min(c.created_at) FROM charge c GROUP BY 1, 2
ON CONFLICT DO NOTHING;
