import type { JsonObject } from "../../kernel/text/json.ts";
import { isText } from "../../kernel/text/text.ts";
import { type Sql, statement } from "../client.ts";
import { spanOf } from "../dated.ts";

const insertRequest = statement<never>(
  "insert_pushed_request",
  `INSERT INTO pushed_request (request_uri_hash, handle, client_id, request, created_at, expires_at, dated_at)
   VALUES ($1, $2, $3, $4::jsonb, $5::timestamptz, $6::timestamptz, $6::timestamptz)`,
);

export type NewPushedRequest = {
  requestUriHash: string;
  handle: string;
  clientId: string;
  request: object;
  createdAt: Date;
  expiresAt: Date;
};

export const insertPushedRequest = async (sql: Sql, row: NewPushedRequest): Promise<void> => {
  await sql.query(insertRequest, [
    row.requestUriHash,
    row.handle,
    row.clientId,
    JSON.stringify(row.request),
    row.createdAt,
    row.expiresAt,
  ]);
};

const openRequest = statement<{ handle: string }>(
  "open_pushed_request",
  `UPDATE pushed_request
      SET opened_at = coalesce(opened_at, $3::timestamptz), complete_by = coalesce(complete_by, $4::timestamptz)
    WHERE request_uri_hash = $1 AND client_id = $2 AND completed_at IS NULL AND dated_at BETWEEN $5::timestamptz AND $6::timestamptz
      AND ((opened_at IS NULL AND expires_at > $3::timestamptz) OR complete_by > $3::timestamptz)
   RETURNING handle`,
);

/**
 * Starts the time to complete the request, unless that time has started already.
 * @returns null if the request can't be opened.
 */
export const openPushedRequest = async (
  sql: Sql,
  input: { requestUriHash: string; clientId: string; now: Date; completeBy: Date },
): Promise<string | null> => {
  const { requestUriHash, clientId, now, completeBy } = input;
  const [row] = await sql.query(openRequest, [requestUriHash, clientId, now, completeBy, ...spanOf(requestUriHash)]);
  return row?.handle ?? null;
};

export type PushedRequestRow = {
  handle: string;
  clientId: string;
  request: JsonObject;
  openedAt: Date | null;
  completeBy: Date | null;
  completedAt: Date | null;
  draft: JsonObject | null;
  consentId: string | null;
  answerHash: string | null;
  answerSealed: string | null;
};

const selectRequest = statement<PushedRequestRow>(
  "find_pushed_request",
  `SELECT handle, client_id AS "clientId", request, opened_at AS "openedAt", complete_by AS "completeBy",
          completed_at AS "completedAt", draft, consent_id AS "consentId", answer_hash AS "answerHash", answer_sealed AS "answerSealed"
     FROM pushed_request WHERE handle = $1 AND dated_at BETWEEN $2::timestamptz AND $3::timestamptz`,
);

/** @param handle from a URL, so it may contain characters that PostgreSQL can't store: `/consent/%00`. */
export const findPushedRequest = async (sql: Sql, handle: string): Promise<PushedRequestRow | null> =>
  isText(handle) ? ((await sql.query(selectRequest, [handle, ...spanOf(handle)]))[0] ?? null) : null;

const keepDraft = statement<never>(
  "keep_consent_draft",
  `UPDATE pushed_request SET draft = $2::jsonb
    WHERE handle = $1 AND completed_at IS NULL AND complete_by > $3::timestamptz AND dated_at BETWEEN $4::timestamptz AND $5::timestamptz`,
);

/** Replaces the draft. Does nothing if the request is completed or has expired. */
export const keepRequestDraft = async (
  sql: Sql,
  { handle, draft, now }: { handle: string; draft: object; now: Date },
): Promise<void> => {
  await sql.query(keepDraft, [handle, JSON.stringify(draft), now, ...spanOf(handle)]);
};

const completeRequest = statement<{ handle: string }>(
  "complete_pushed_request",
  `UPDATE pushed_request
      SET completed_at = $2::timestamptz, consent_id = $3, answer_hash = $4, answer_sealed = $5, draft = NULL
    WHERE handle = $1 AND completed_at IS NULL AND complete_by > $2::timestamptz AND dated_at BETWEEN $6::timestamptz AND $7::timestamptz
   RETURNING handle`,
);

/** At most one caller per request gets true. */
export const completePushedRequest = async (
  sql: Sql,
  completion: { handle: string; now: Date; consentId: string; answerHash: string; answerSealed: string },
): Promise<boolean> => {
  const { handle, now, consentId, answerHash, answerSealed } = completion;
  const values = [handle, now, consentId, answerHash, answerSealed, ...spanOf(handle)];
  return (await sql.query(completeRequest, values)).length === 1;
};

const extendRequest = statement<{ handle: string }>(
  "extend_pushed_request",
  `UPDATE pushed_request
      SET complete_by = $2::timestamptz + (complete_by - opened_at), extended_at = $2::timestamptz
    WHERE handle = $1 AND completed_at IS NULL AND extended_at IS NULL AND complete_by > $2::timestamptz
      AND dated_at BETWEEN $3::timestamptz AND $4::timestamptz
   RETURNING handle`,
);

/**
 * Restarts the time to complete an open request, at most once per request.
 * @returns false if the request isn't open, or was extended before.
 */
export const extendPushedRequest = async (sql: Sql, { handle, now }: { handle: string; now: Date }): Promise<boolean> =>
  isText(handle) && (await sql.query(extendRequest, [handle, now, ...spanOf(handle)])).length === 1;
