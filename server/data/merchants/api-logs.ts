import { type Sql, statement } from "../client.ts";

/** One authenticated request of a merchant client, without secrets. */
export type ApiLogRow = {
  merchantId: string;
  at: Date;
  requestId: string;
  clientId: string;
  method: string;
  path: string;
  query: string | null;
  status: number;
  milliseconds: number;
  requestBody: string | null;
  responseBody: string | null;
};

const insert = statement<never>(
  "insert_api_logs",
  `INSERT INTO api_log (merchant_id, at, request_id, client_id, method, path, query, status, milliseconds, request_body, response_body)
   SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                        $8::int[], $9::int[], $10::text[], $11::text[]) AS given (merchant_id)
    WHERE NOT EXISTS (SELECT FROM merchant m WHERE m.id = given.merchant_id AND m.is_probe)`,
);

/** Leaves out the requests of the status page's probes, whose merchant has no members. */
export const insertApiLogs = async (sql: Sql, rows: readonly ApiLogRow[]): Promise<void> => {
  await sql.query(insert, [
    rows.map((row) => row.merchantId),
    rows.map((row) => row.at.toISOString()),
    rows.map((row) => row.requestId),
    rows.map((row) => row.clientId),
    rows.map((row) => row.method),
    rows.map((row) => row.path),
    rows.map((row) => row.query),
    rows.map((row) => row.status),
    rows.map((row) => row.milliseconds),
    rows.map((row) => row.requestBody),
    rows.map((row) => row.responseBody),
  ]);
};

export type ApiLogFilter = {
  clientId?: string | undefined;
  method?: string | undefined;
  /** a part of the path */
  path?: string | undefined;
  /** 2: 200 to 299 */
  statusClass?: number | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};

export type ListedApiLog = Omit<ApiLogRow, "merchantId" | "query" | "requestBody" | "responseBody"> & {
  clientName: string | null;
};

const facts = `l.at, l.request_id AS "requestId", l.client_id AS "clientId",
          (SELECT c.name FROM client c WHERE c.id = l.client_id) AS "clientName", l.method, l.path, l.status, l.milliseconds`;

const list = statement<ListedApiLog>(
  "list_api_logs",
  `SELECT ${facts} FROM api_log l
    WHERE l.merchant_id = $1
      AND l.at >= coalesce($2::timestamptz, '-infinity') AND l.at < coalesce($3::timestamptz, 'infinity')
      AND ($4::text IS NULL OR l.client_id = $4) AND ($5::text IS NULL OR l.method = $5)
      AND ($6::text IS NULL OR strpos(l.path, $6) > 0)
      AND ($7::int IS NULL OR l.status BETWEEN $7 * 100 AND $7 * 100 + 99)
      AND ($8::text IS NULL OR l.request_id = $8)
      AND ($9::text IS NULL OR (l.at, l.request_id) < (SELECT s.at, s.request_id FROM api_log s
           WHERE s.request_id = $9 AND s.merchant_id = $1))
    ORDER BY l.at DESC, l.request_id DESC LIMIT $10::int`,
);

const byRequest = statement<ListedApiLog>(
  "find_listed_api_log",
  `SELECT ${facts} FROM api_log l WHERE l.request_id = $2 AND l.merchant_id = $1`,
);

type Page = { merchantId: string; startingAfter: string | null; limit: number };

/** Newest first. One more than `limit` if there are more. */
export const listApiLogs = (
  sql: Sql,
  { merchantId, startingAfter, limit, ...filter }: Page & ApiLogFilter,
): Promise<ListedApiLog[]> => {
  const { requestId = null, clientId = null, method = null, path = null, statusClass = null } = filter;
  const isOnlyRequest = requestId !== null && Object.values(filter).filter((value) => value !== undefined).length === 1;
  if (isOnlyRequest) return sql.query(byRequest, [merchantId, requestId]);
  const { from = null, until = null } = filter;
  const values = [from, until, clientId, method, path, statusClass, requestId, startingAfter, limit + 1];
  return sql.query(list, [merchantId, ...values]);
};

/** `isClientDeleted`: the client's page no longer exists. */
export type FoundApiLog = ApiLogRow & { clientName: string | null; isClientDeleted: boolean };

const find = statement<FoundApiLog>(
  "find_api_log",
  `SELECT l.merchant_id AS "merchantId", ${facts}, l.query, l.request_body AS "requestBody",
          l.response_body AS "responseBody",
          NOT EXISTS (SELECT FROM client c WHERE c.id = l.client_id AND c.deleted_at IS NULL) AS "isClientDeleted"
     FROM api_log l WHERE l.request_id = $1`,
);

/** Finds a logged request by its request id. */
export const findApiLog = async (sql: Sql, requestId: string): Promise<FoundApiLog | null> =>
  (await sql.query(find, [requestId]))[0] ?? null;
