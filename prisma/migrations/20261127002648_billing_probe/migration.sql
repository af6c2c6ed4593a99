-- The status page's probe reads the usage of its own merchant.
UPDATE client SET scopes = array_append(scopes, 'billing.read'),
    allowed_scopes = CASE WHEN allowed_scopes IS NULL THEN NULL ELSE array_append(allowed_scopes, 'billing.read') END,
    metadata = jsonb_set(metadata, '{scope}', to_jsonb('mandates.verify billing.read'::text)), version = version + 1
  WHERE is_probe AND kind = 'merchant' AND scopes = '{mandates.verify}';
