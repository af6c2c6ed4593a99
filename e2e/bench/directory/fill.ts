import type pg from "pg";

/** SQL: a pseudo-random whole number from 0 to `below` - 1 for participant `n`. */
const chance = (salt: string, below: number): string => `(abs(hashtext('${salt}' || n)) % ${below})`;

const pick = (words: readonly string[], salt: string): string =>
  `(ARRAY['${words.join("','")}'])[1 + ${chance(salt, words.length)}]`;

/** SQL: a word that few other participants have. Its first letter is one of 13. */
const ownWord = `initcap(translate(left(md5('word' || n), 7), '0123456789', 'aeioubmlrs'))`;

/** An eighth of the names start with each of these words, and three fifths end with Market. */
const firstWords = ["Alpine", "Bright", "Cedar", "Delta", "Ember", "Fjord", "Grand", "Harbor"];
const displayName = `${pick(firstWords, "first")} || ' ' || ${ownWord} || ' ' ||
  CASE WHEN ${chance("last", 5)} < 3 THEN 'Market' ELSE ${pick(["Travel", "Books", "Foods", "Agents"], "other")} END`;

const isMerchant = `${chance("role", 2)} = 0`;
const role = `CASE WHEN ${isMerchant} THEN 'merchant' ELSE 'client' END`;
const isActive = `${chance("status", 5)} < 4`;
const currency = pick(["EUR", "USD", "GBP"], "currency");
const domain = `'shop' || n || '.example'`;
const days = `(SELECT jsonb_agg(jsonb_build_object('day', to_char(now() - make_interval(days => ago), 'YYYY-MM-DD'),
  'up', 24, 'down', 0, 'latencySumMs', 2000)) FROM generate_series(1, 29) AS ago)`;
/** SQL: the entry as the history keeps it. */
const document = `jsonb_build_object('id', 'ptc_many' || n, 'roles', roles, 'display_name', display_name, 'legal_name', legal_name,
  'environment', 'sandbox', 'status', CASE WHEN ${isActive} THEN 'active' ELSE 'pending' END, 'merchant_id', null,
  'verified_domains', CASE WHEN ${isActive} THEN jsonb_build_array(jsonb_build_object('domain', ${domain}, 'verified_at', created_at)) ELSE '[]' END,
  'contacts', '[]'::jsonb, 'website_uri', null, 'logo_uri', null, 'federation_entity', null,
  'capabilities', jsonb_build_object('grant_types', jsonb_build_array('client_credentials'), 'pushed_authorization_requests', false,
     'dpop_bound_access_tokens', false, 'authorization_details_types', '[]'::jsonb, 'currencies', jsonb_build_array(${currency}), 'webhooks', false),
  'metadata_documents', jsonb_build_array('https://' || ${domain} || '/.well-known/oauth-protected-resource'),
  'keys', jsonb_build_array(jsonb_build_object('thumbprint', md5('key' || n), 'kid', 'key-1')))`;

/**
 * Inserts the rows that the registration of `count` participants would create. Half are merchants. Each has a client, a
 * key, a metadata document that was checked, and a version in the log. Four of five have a verified domain. None is due
 * for a check. The last change of participant `n` was `n` seconds ago.
 */
export const fillDirectory = async (client: pg.Client, count: number): Promise<void> => {
  const all = `generate_series(1, ${count}) AS n`;
  const each = `(SELECT p.*, substr(p.id, 9)::int AS n FROM participant p WHERE p.id LIKE 'ptc_many%') p`;
  const statements = [
    `INSERT INTO merchant (id, display_name, legal_name, mcc, processor, processor_account, currency, created_at)
     SELECT 'mch_many' || n, ${displayName}, 'Bench Ltd', '5411', 'simulator', 'acct_' || n, ${currency}, now() FROM ${all} WHERE ${isMerchant}`,
    `INSERT INTO participant (id, merchant_id, roles, display_name, legal_name, contacts, contact_salts, facets, version, created_at, updated_at)
     SELECT 'ptc_many' || n, CASE WHEN ${isMerchant} THEN 'mch_many' || n END, ARRAY[${role}], ${displayName}, CASE WHEN n % 2 = 0 THEN ${displayName} || ' Ltd' END, '{}', '{}',
            ARRAY['role:' || ${role}, 'status:' || CASE WHEN ${isActive} THEN 'active' ELSE 'pending' END,
                  'grant:client_credentials', 'currency:' || ${currency}],
            1, date_trunc('milliseconds', now() - interval '60 days'), date_trunc('milliseconds', now() - make_interval(secs => n)) FROM ${all}`,
    `INSERT INTO client (id, kind, participant_id, name, metadata, redirect_uris, grant_types, scopes, jwks, dpop_bound,
                         registration_token_hash, key_thumbprint_hashes, allowed_scopes, created_at)
     SELECT 'cl_many' || n, 'agent', 'ptc_many' || n, 'Bench', '{"client_name": "Bench"}', '{}', '{client_credentials}', '{}', '{"keys": []}', false,
            'hash', '{}', '{}', now() FROM ${all}`,
    `INSERT INTO participant_domain (participant_id, domain, token, claimed_at, verified_at, check_due_at)
     SELECT 'ptc_many' || n, ${domain}, 'token', now(), now(), 'infinity' FROM ${all} WHERE ${isActive}`,
    `INSERT INTO participant_metadata (participant_id, uri)
     SELECT 'ptc_many' || n, 'https://' || ${domain} || '/.well-known/oauth-protected-resource' FROM ${all}`,
    `INSERT INTO participant_health (participant_id, check_due_at, checked_at, last_success_at, latency_ms, days)
     SELECT 'ptc_many' || n, 'infinity', now(), now(), 84, ${days} FROM ${all}`,
    `INSERT INTO participant_key (participant_id, thumbprint, jwk, since)
     SELECT 'ptc_many' || n, md5('key' || n), jsonb_build_object('kty', 'EC', 'crv', 'P-256', 'x', md5('x' || n), 'y', md5('y' || n), 'kid', 'key-1'), now() FROM ${all}`,
    "BEGIN",
    `INSERT INTO directory_log (id, size) VALUES (1, 0) ON CONFLICT DO NOTHING`,
    `INSERT INTO participant_version (participant_id, version, change, changed_by, changed_at, document, diff, document_sha256, log_entry)
     SELECT id, 1, 'registered', 'client', updated_at, ${document}, jsonb_build_array(jsonb_build_object('op', 'add', 'path', '', 'value', ${document})),
            md5('document' || n), json_build_object('participant_id', id, 'type', 'participant.registered', 'version', 1)::text FROM ${each}`,
    // Sets all indexes in one statement. If entries were inserted separately, each insert would update the log's size.
    `INSERT INTO directory_log_entry (log_index, participant_id, version)
     SELECT l.size + row_number() OVER (ORDER BY p.updated_at) - 1, p.id, 1 FROM directory_log l, ${each}`,
    `UPDATE directory_log SET size = size + ${count}`,
    "COMMIT",
    "VACUUM ANALYZE",
  ];
  for (const text of statements) await client.query(text);
};
