import { mailKindsWithSecret } from "../../kernel/mail-kinds.ts";
import { type Sql, type Statement, statement } from "../client.ts";

/** One row, as JSON with the names of its columns, and its position in the section. */
type Page = { row: Record<string, unknown>; at: Date; id: string };

const pageSize = 500;

type Source = Record<"at" | "id" | "columns", string>;

/** Rows of an account after a position, in the order of an index on owner and time. */
const paged = (table: string, { owner, ...source }: Source & { owner: string }) =>
  pagedWhere(table, { ...source, condition: `t.${owner} = $1` });

/** @param source.condition SQL: whether row `t` belongs to the account `$1`. */
const pagedWhere = (table: string, { condition, at, id, columns }: Source & { condition: string }) =>
  statement<Page>(
    `export_${table.replaceAll('"', "")}`,
    `SELECT row_to_json(found) AS row, key_at AS at, key_id::text AS id FROM (
       SELECT ${columns} FROM ${table} t WHERE ${condition}
         AND (t.${at}, t.${id}) > ($2::timestamptz, $3${id === "seq" ? "::bigint" : ""})
       ORDER BY t.${at}, t.${id} LIMIT ${pageSize}
     ) found, LATERAL (SELECT found.${at} AS key_at, found.${id} AS key_id) key`,
  );

const of = (owner: string, columns: string) => ({ owner, at: "created_at", id: "id", columns });
const refunds = `(SELECT json_agg(json_build_object('id', r.id, 'amount', r.amount, 'status', r.status,
  'reason', r.reason, 'note', r.metadata->>'note', 'created_at', r.created_at) ORDER BY r.created_at, r.id)
  FROM refund r WHERE r.charge_id = t.id) AS refunds`;
const disputes = `(SELECT json_agg(json_build_object('id', d.id, 'amount', d.amount, 'status', d.status,
  'reason', d.reason, 'created_at', d.created_at) ORDER BY d.created_at, d.id)
  FROM dispute d WHERE d.charge_id = t.id) AS disputes`;

const versions = `(SELECT json_agg(json_build_object('version', v.version, 'details', v.details, 'created_at', v.created_at,
  'superseded_at', v.superseded_at) ORDER BY v.version) FROM mandate_version v WHERE v.mandate_id = t.id) AS versions`;

/**
 * The data stored about an account, by section. Secrets are left out: hashes of passwords, sessions and codes, the text
 * of e-mails with a code or a single-use link, and the references with which a processor charges.
 */
const sections = {
  sessions: paged("session", of("account_id", "id, created_at, last_seen_at, revoked_at, user_agent, ip_address")),
  passkeys: paged("passkey", of("account_id", "id, name, created_at, last_used_at")),
  sign_ins: paged("sign_in_event", {
    owner: "account_id",
    at: "at",
    id: "id",
    columns: "id, at, outcome, user_agent, ip_address",
  }),
  payment_methods: paged(
    "payment_method",
    of("payer_id", "id, processor, type, label, nickname, is_default, created_at, removed_at"),
  ),
  consents: paged("consent", of("payer_id", "id, grant_id, client_id, decision, locale, text, created_at")),
  grants: paged('"grant"', of("payer_id", "id, client_id, scopes, redirect_uri, created_at, replaced_at, ended_at")),
  mandates: paged(
    "mandate",
    of(
      "payer_id",
      `id, grant_id, client_id, payment_method_id, state, version, details, used_amount, used_count, created_at, ended_at, ${versions}`,
    ),
  ),
  charges: paged(
    "charge",
    of(
      "payer_id",
      `id, merchant_id, mandate_id, state, amount, currency, amount_captured, amount_refunded, payer_presence, reference,
       decline_code, created_at, approved_at, final_at, ${refunds}, ${disputes}`,
    ),
  ),
  charge_notices: paged("charge_notice", {
    owner: "payer_id",
    at: "due_at",
    id: "id",
    columns: "id, merchant_id, mandate_id, amount, currency, reference, due_at, created_at, canceled_at, charge_id",
  }),
  // Without the codes for new addresses: an address that already has an account gets another e-mail instead, so the
  // export would show whether it has one.
  emails: pagedWhere("mail", {
    condition: `((t.recipient = (SELECT email FROM account WHERE id = $1)
         AND (t.former_recipient_id IS NULL OR t.former_recipient_id = $1))
         OR (t.former_recipient_id = $1 AND t.kind <> 'email_change_code'))`,
    at: "created_at",
    id: "id",
    // The tokens of other kinds only switch off e-mail. They are secrets too.
    columns: `id, kind, recipient, subject, state, created_at, ended_at,
       CASE WHEN t.kind NOT IN (${mailKindsWithSecret.map((kind) => `'${kind}'`).join(", ")})
         THEN regexp_replace(t.text, '([?&]token=)[^[:space:]&]+', '\\1…', 'g') END AS text`,
  }),
  actions: paged("audit_entry", {
    owner: "actor_id",
    at: "at",
    id: "seq",
    columns: "seq, at, action, subject_id, data",
  }),
} as const satisfies Readonly<Record<string, Statement<Page>>>;

export type RecordSection = keyof typeof sections;

export const recordSections = Object.keys(sections) as RecordSection[];

/** All rows of a section in pages, oldest first. Each page is one short statement. */
export async function* readRecords(
  sql: Sql,
  { section, accountId }: { section: RecordSection; accountId: string },
): AsyncGenerator<readonly Record<string, unknown>[]> {
  let [at, id] = [new Date(0), section === "actions" ? "0" : ""];
  for (;;) {
    const rows = await sql.query(sections[section], [accountId, at, id]);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    [at, id] = [last.at, last.id];
  }
}

const findProfile = statement<{ row: Record<string, unknown> }>(
  "export_account",
  `SELECT row_to_json(found) AS row FROM (
     SELECT a.id, a.email, a.email_verified_at, a.display_name, a.locale, a.time_zone, a.currency, a.created_at,
       a.deletion_requested_at,
       ARRAY(SELECT kind FROM notification_choice WHERE account_id = a.id ORDER BY kind) AS notifications_switched_off,
       (SELECT json_agg(json_build_object('merchant_id', merchant_id, 'role', role, 'since', created_at))
          FROM merchant_member WHERE account_id = a.id) AS memberships
       FROM account a WHERE a.id = $1
   ) found`,
);

export const findAccountRecord = async (sql: Sql, accountId: string): Promise<Record<string, unknown> | null> =>
  (await sql.query(findProfile, [accountId]))[0]?.row ?? null;
