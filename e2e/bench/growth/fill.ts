import type { Deps } from "#server/deps/deps.ts";

/** Secrets and ids are as long as in the service: 43 and 24 characters. Random values are spread over the index. */
const secret = "(md5(random()::text) || substr(md5(n::text), 1, 11))";
const id = (prefix: string) => `('${prefix}_' || substr(md5(random()::text), 1, 24))`;
const instant = "$1::timestamptz + random() * interval '23 hours 50 minutes'";

/** Rows of each table per 100 tokens: the rows of the token's own request, and the rows of related flows. */
const inserts: readonly { per100: number; text: string }[] = [
  {
    per100: 100,
    text: `INSERT INTO assertion_jti (client_id, jti, exp, request_id)
      SELECT 'cl_test_' || lpad((n % 1000)::text, 24, '0'), gen_random_uuid()::text, ${instant}, gen_random_uuid()`,
  },
  {
    per100: 100,
    text: `INSERT INTO audit_entry (at, actor_kind, actor_id, action, subject_id, request_id, data)
      SELECT ${instant}, 'client', 'cl_test_' || lpad((n % 1000)::text, 24, '0'), 'token.issued',
             CASE WHEN n % 2 = 0 THEN 'cl_test_' || lpad((n % 1000)::text, 24, '0') ELSE ${id("grt")} END, ${id("req")},
             jsonb_build_object('grant_type', 'client_credentials', 'jti', ${secret})`,
  },
  {
    per100: 50,
    text: `INSERT INTO dpop_jti (jkt, jti, htu, iat, request_id)
      SELECT ${secret}, gen_random_uuid()::text, 'https://pay.example/oauth/token', ${instant}, gen_random_uuid()`,
  },
  {
    per100: 10,
    text: `INSERT INTO pushed_request (request_uri_hash, handle, client_id, request, created_at, expires_at, dated_at)
      SELECT ${secret}, ${secret}, 'cl_test_1', jsonb_build_object('details', repeat(md5(n::text), 25)), at, at, at
        FROM (SELECT n, ${instant} AS at`,
  },
  {
    per100: 5,
    text: `INSERT INTO authorization_code (code_hash, grant_id, client_id, redirect_uri, code_challenge, auth_time, acr, created_at,
                                           expires_at, dated_at)
      SELECT ${secret}, ${id("grt")}, 'cl_test_1', 'https://app.example/callback', ${secret}, at, 'urn:paygrant:acr:password', at, at, at
        FROM (SELECT n, ${instant} AS at`,
  },
  {
    per100: 5,
    text: `INSERT INTO refresh_token (secret_hash, family_id, grant_id, client_id, scopes, auth_time, acr, created_at, expires_at, dated_at)
      SELECT ${secret}, ${id("grt")}, ${id("grt")}, 'cl_test_1', '{}', at, 'urn:paygrant:acr:password', at, at + lifetime, at + lifetime
        FROM (SELECT n, ${instant} AS at, random() * interval '365 days' AS lifetime`,
  },
  { per100: 2, text: `INSERT INTO token_denial (jti, expires_at) SELECT ${secret}, ${instant}` },
  {
    per100: 5,
    text: `INSERT INTO event (id, type, object_id, sequence, data, created_at, dispatched_at)
      SELECT ${id("evt")}, 'mandate.activated', ${id("mdt")}, 1, jsonb_build_object('mandate_id', ${id("mdt")}, 'status', 'active'), at, at
        FROM (SELECT n, ${instant} AS at`,
  },
  {
    per100: 5,
    text: `INSERT INTO charge (id, merchant_id, mandate_id, mandate_version, merchant_client_id, agent_client_id, payer_id, state, amount,
                               currency, amount_captured, capture_method, payer_presence, metadata, periods, processor,
                               processor_account, payment_method_ref, created_at, updated_at, submitted_at, final_at)
      SELECT ${id("chg")}, 'mch_' || (n % 1000), ${id("mdt")}, 1, 'cl_test_1', 'cl_test_2', ${id("acc")}, 'succeeded', 500, 'EUR', 500,
             'automatic', 'off_session', '{}', '[]', 'simulator', 'acct_1', 'pm_1', at, at, at, at
        FROM (SELECT n, ${instant} AS at`,
  },
];

const rowsAtOnce = 100_000;

/** Inserts the rows of one day of traffic with the given number of tokens, with set-based statements. */
export const fillDay = async ({ db }: Pick<Deps, "db">, day: Date, tokens: number): Promise<void> => {
  for (const { per100, text } of inserts) {
    for (let left = Math.round((tokens * per100) / 100); left > 0; left -= rowsAtOnce) {
      const rows = `generate_series(1, ${Math.min(left, rowsAtOnce)}) AS n`;
      // If several columns contain the same instant, the statement computes it in a subquery, which must be closed.
      const end = text.includes("FROM (SELECT") ? ") AS made" : "";
      await db.prisma.$executeRawUnsafe(`${text} FROM ${rows}${end}`, day);
    }
  }
};
