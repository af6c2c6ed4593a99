-- The mandates that a merchant can see: those that name it as a payee, and those that its charges used. A list of them
-- in order needs a table of its own: `mandate` has no order by merchant, and `charge` has many rows per mandate.
CREATE TABLE merchant_mandate (
  merchant_id text NOT NULL,
  mandate_id text NOT NULL,
  -- when the mandate was created, or first charged by a merchant that it doesn't name
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, mandate_id)
);
CREATE INDEX merchant_mandate_since ON merchant_mandate (merchant_id, since DESC, mandate_id DESC);

INSERT INTO merchant_mandate
SELECT payee, m.id, m.created_at FROM mandate m, unnest(m.payee_merchant_ids) payee WHERE m.state <> 'rejected'
ON CONFLICT DO NOTHING;
INSERT INTO merchant_mandate
SELECT c.merchant_id, c.mandate_id, min(c.created_at) FROM charge c GROUP BY 1, 2
ON CONFLICT DO NOTHING;

CREATE FUNCTION note_payees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_mandate SELECT payee, NEW.id, NEW.created_at FROM unnest(NEW.payee_merchant_ids) payee
    ORDER BY payee ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER mandate_note_payees AFTER INSERT OR UPDATE OF payee_merchant_ids ON mandate
  FOR EACH ROW WHEN (NEW.state <> 'rejected' AND cardinality(NEW.payee_merchant_ids) > 0) EXECUTE FUNCTION note_payees();

CREATE FUNCTION note_charged_mandate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_mandate VALUES (NEW.merchant_id, NEW.mandate_id, NEW.created_at) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_note_mandate AFTER INSERT ON charge FOR EACH ROW EXECUTE FUNCTION note_charged_mandate();
