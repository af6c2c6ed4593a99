import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

export type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  state: "pending" | "kept" | "sent" | "failed";
  createdAt: Date;
  endedAt: Date | null;
  attempts: number;
  nextAttemptAt: Date | null;
  problem: string | null;
};

type WholeMail = MailRow & { text: string; html: string; obsoleteAfter: Date | null };

const columns = `m.id, m.kind, m.recipient, m.subject, m.state::text AS state, m.created_at AS "createdAt",
  m.ended_at AS "endedAt", m.attempts, m.next_attempt_at AS "nextAttemptAt", m.problem`;

const list = statement<MailRow>(
  "list_mail",
  `SELECT ${columns} FROM mail m
    WHERE ($1::text IS NULL OR m.state = $1::mail_state)
      AND ($2::text IS NULL OR m.id = $2 OR strpos(lower(m.recipient), lower($2)) > 0 OR strpos(lower(m.subject), lower($2)) > 0)
      AND ($3::text IS NULL OR (m.created_at, m.id) < (SELECT a.created_at, a.id FROM mail a
           WHERE a.id = $3 AND a.created_at BETWEEN $4::timestamptz AND $5::timestamptz))
    ORDER BY m.created_at DESC, m.id DESC LIMIT $6::int`,
);

/** Newest first. Returns `limit` + 1 if there are more. @param search a part of recipient or subject, or an id. */
export const findMail = (
  sql: Sql,
  input: { state: MailRow["state"] | null; search: string | null; startingAfter: string | null; limit: number },
): Promise<MailRow[]> =>
  sql.query(list, [
    input.state,
    input.search,
    input.startingAfter,
    ...spanOf(input.startingAfter ?? ""),
    input.limit + 1,
  ]);

const find = statement<WholeMail>(
  "find_mail",
  `SELECT ${columns}, m.text, m.html, m.obsolete_after AS "obsoleteAfter" FROM mail m
    WHERE m.id = $1 AND m.created_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

export const findMailById = async (sql: Sql, id: string): Promise<WholeMail | null> =>
  (await sql.query(find, [id, ...spanOf(id)]))[0] ?? null;
