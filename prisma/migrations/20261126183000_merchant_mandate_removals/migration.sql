-- A merchant that a replaced mandate no longer names sees the mandate only if it charged it.
CREATE FUNCTION forget_payees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM merchant_mandate r
   WHERE r.mandate_id = NEW.id AND r.merchant_id = ANY (OLD.payee_merchant_ids)
     AND (r.merchant_id = ANY (NEW.payee_merchant_ids)) IS NOT TRUE
     AND NOT EXISTS (SELECT FROM charge c WHERE c.mandate_id = NEW.id AND c.merchant_id = r.merchant_id);
  RETURN NULL;
END $$;
CREATE TRIGGER mandate_forget_payees AFTER UPDATE OF payee_merchant_ids ON mandate
  FOR EACH ROW WHEN (OLD.payee_merchant_ids IS DISTINCT FROM NEW.payee_merchant_ids) EXECUTE FUNCTION forget_payees();
