-- What lists of participants can be filtered by. Each new version writes it (server/directory/rules/facets.ts).

ALTER TABLE participant ADD COLUMN facets text[];

-- From the latest documents. Their currencies are those of the merchants.
UPDATE participant p SET facets =
  ARRAY(SELECT 'role:' || r FROM unnest(p.roles) r)
  || ARRAY['status:' || (v.document ->> 'status')]
  || CASE WHEN (v.document #> '{capabilities,pushed_authorization_requests}')::boolean THEN ARRAY['par'] ELSE '{}' END
  || CASE WHEN (v.document #> '{capabilities,dpop_bound_access_tokens}')::boolean THEN ARRAY['dpop'] ELSE '{}' END
  || ARRAY(SELECT 'grant:' || g FROM jsonb_array_elements_text(v.document #> '{capabilities,grant_types}') g)
  || ARRAY(SELECT 'rar:' || t FROM jsonb_array_elements_text(v.document #> '{capabilities,authorization_details_types}') t)
  || ARRAY(SELECT 'currency:' || m.currency FROM merchant m WHERE m.id = p.merchant_id AND m.currency IS NOT NULL)
  FROM participant_version v WHERE v.participant_id = p.id AND v.version = p.version;

-- Without a list of pending entries, which would make reads slower after many changes.
CREATE INDEX participant_facets ON participant USING gin (facets) WITH (fastupdate = off);
