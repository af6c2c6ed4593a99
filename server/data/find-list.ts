import type { Page } from "../kernel/pagination.ts";
import { type Sql, type SqlValue, statement } from "./client.ts";

/** One condition on a list's rows. `key` is short and part of the statement's name. */
export type ListFilter = { key: string; sql(parameter: string): string; value: SqlValue };

type List = {
  /**
   * prefix of its statement names, at most 30 characters: PostgreSQL compares only the first 63 characters of a name
   */
  name: string;
  /** up to and including FROM */
  select: string;
  /** the columns of its instant, and of its id or a number that is unique within an instant */
  order: readonly [at: string, id: string];
  /** the type of the second column */
  idType?: "text" | "bigint";
  filters: readonly ListFilter[];
  page: Page;
};

/**
 * Returns the newest rows first. A page before a position is in the opposite order, so that its first row is the one
 * nearest to the position; `cutPage` (kernel/pagination.ts) reverses it. Returns `limit` + 1 rows if there are more.
 * Each combination of filters is a separate statement: PostgreSQL would plan a single one with `$1 IS NULL OR …`
 * without knowing its filters, and read all rows of the first index.
 */
export const findList = <Row>(
  sql: Sql,
  { name, select, order, idType = "text", filters, page }: List,
): Promise<Row[]> => {
  const values: SqlValue[] = [];
  const parameter = (value: SqlValue, type: string) => `$${values.push(value)}${type}`;
  const conditions = filters.map((filter) => filter.sql(parameter(filter.value, "")));
  const place = page.after ?? page.before;
  if (place) {
    const bounds = [parameter(place.at, "::timestamptz"), parameter(place.id, `::${idType}`)];
    conditions.push(`(${order.join(", ")}) ${page.after ? "<" : ">"} (${bounds.join(", ")})`);
  }
  const sorted = order.map((column) => `${column} ${page.before ? "ASC" : "DESC"}`).join(", ");
  const text = `${select} WHERE ${conditions.join(" AND ")} ORDER BY ${sorted} LIMIT ${parameter(page.limit + 1, "::int")}`;
  const keys = [...filters.map(({ key }) => key), ...(page.after ? ["after"] : page.before ? ["before"] : [])];
  return sql.query(statement<Row>(`${name}:${keys.join(",")}`, text), values);
};

/** Filters for a half-open period. @param at the column of the instant by which the list is ordered. */
export const createdFilters = (
  at: string,
  { createdFrom, createdTo }: { createdFrom: Date | null; createdTo: Date | null },
): ListFilter[] => [
  ...(createdFrom
    ? [{ key: "from", sql: (value: string) => `${at} >= ${value}::timestamptz`, value: createdFrom }]
    : []),
  ...(createdTo ? [{ key: "to", sql: (value: string) => `${at} < ${value}::timestamptz`, value: createdTo }] : []),
];

/** A filter for equality; none if no value is given. */
export const equalFilter = (key: string, column: string, value: string | null): ListFilter[] =>
  value === null ? [] : [{ key, sql: (parameter) => `${column} = ${parameter}`, value }];
