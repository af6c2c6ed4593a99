import { type Sql, type SqlValue, statement } from "../client.ts";
import { type ParticipantRow, participantColumns } from "./participants.ts";

export type ParticipantPlace = { updatedAt: Date; id: string };

type ParticipantFilter = {
  /** null: all. `names`: a tsquery */
  search: { names: string; exact: string } | null;
  /** only participants that have all these facets; server/directory/rules/facets.ts lists the possible facets */
  facets: readonly string[];
  /** only participants of the directory's own environment, which are nearly all */
  isOwnEnvironment: boolean;
  updatedSince: Date | null;
};

export type ParticipantQuery = ParticipantFilter & {
  after: ParticipantPlace | null;
  order: "oldest" | "newest";
  limit: number;
};

type Bind = (value: SqlValue, type: string) => string;

const binder = () => {
  const values: SqlValue[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  return { values, bind };
};

/** The expression of the index `participant_names`. */
const namesOf = (table: string): string =>
  `to_tsvector('simple'::regconfig, ${table}.display_name || ' ' || coalesce(${table}.legal_name, ''))`;

/**
 * The filter as SQL. Its text differs with the filters in use, so that each combination has its own plan: a connection
 * plans a statement only once, without its values.
 */
const filterSql = ({ search, facets, isOwnEnvironment }: ParticipantFilter, bind: Bind) => {
  const hasFacets = facets.length > 0;
  const list = hasFacets ? bind(facets, "text[]") : "";
  const words = search && `(SELECT to_tsquery('simple'::regconfig, ${bind(search.names, "text")}))`;
  const byEnvironment = (table: string) => (isOwnEnvironment ? ` AND ${table}.environment IS NULL` : "");
  const byFacets = (table: string) => `${hasFacets ? `${table}.facets @> ${list}` : "true"}${byEnvironment(table)}`;
  const byWords = (table: string) => (words ? `${namesOf(table)} @@ ${words}` : "true");
  /** Without ids: they are found separately. */
  const matches = (table: string) => `${byFacets(table)} AND ${byWords(table)}`;
  return {
    name: `${search ? "_found" : ""}${hasFacets ? "_with_facets" : ""}${isOwnEnvironment ? "_of_environment" : ""}`,
    byFacets,
    matches,
    /** All matches, through the indexes of names and facets. OFFSET 0 keeps PostgreSQL from using the list's order. */
    indexed: `(SELECT s.id, s.updated_at FROM participant s WHERE ${matches("s")} OFFSET 0)`,
    exact: search && exactSql(bind(search.exact, "text")),
  };
};

/** Participants with this id, merchant, client, verified domain or issuer. */
const exactSql = (text: string): string =>
  `(SELECT s.id FROM participant s WHERE s.id = ${text}
     UNION SELECT s.id FROM participant s WHERE s.merchant_id = ${text}
     UNION SELECT c.participant_id FROM client c WHERE c.id = ${text} AND c.deleted_at IS NULL
     UNION SELECT d.participant_id FROM participant_domain d WHERE d.domain = lower(${text}) AND d.verified_at IS NOT NULL
     UNION SELECT s.id FROM participant s WHERE rtrim(s.issuer, '/') = rtrim(${text}, '/')
   ) found JOIN LATERAL (SELECT s.id, s.updated_at, s.facets, s.environment FROM participant s WHERE s.id = found.id OFFSET 0) e ON true`;

/** The number of participants, up to `atMost`. */
export const countParticipants = async (sql: Sql, filter: ParticipantFilter, atMost: number): Promise<number> => {
  const { values, bind } = binder();
  const { name, byFacets, indexed, exact } = filterSql(filter, bind);
  const since = bind(filter.updatedSince, "timestamptz");
  const most = bind(atMost, "int");
  const isRecent = (table: string) => `${table}.updated_at >= coalesce(${since}, '-infinity')`;
  const source = name === "" ? "participant" : indexed;
  const counted = [
    `(SELECT s.id FROM ${source} s WHERE ${isRecent("s")} LIMIT ${most})`,
    ...(exact ? [`(SELECT e.id FROM ${exact} WHERE ${byFacets("e")} AND ${isRecent("e")} LIMIT ${most})`] : []),
  ];
  const counting = statement<{ count: number }>(
    `count_participants${name}`,
    `SELECT least(count(*), ${most})::int AS count FROM (${counted.join(" UNION ")}) counted`,
  );
  return (await sql.query(counting, values))[0]?.count ?? 0;
};

const orders = {
  oldest: { compare: ">", first: "-infinity", direction: "ASC" },
  newest: { compare: "<", first: "infinity", direction: "DESC" },
} as const;

/** SQL: the range of the list from which the page is read, as a condition that the list's index can use. */
const rangeOf = ({ order, after, updatedSince }: ParticipantQuery, bind: Bind) => {
  const { compare, first } = orders[order];
  const start = order === "oldest" ? laterOf(after, updatedSince) : after;
  const at = bind(start?.updatedAt ?? null, "timestamptz");
  const id = bind(start?.id ?? null, "text");
  const end = order === "newest" ? bind(updatedSince, "timestamptz") : null;
  return (table: string): string =>
    `(${table}.updated_at, ${table}.id) ${compare} (coalesce(${at}, '${first}'), coalesce(${id}, ''))${
      end ? ` AND ${table}.updated_at >= coalesce(${end}, '-infinity')` : ""
    }`;
};

const laterOf = (after: ParticipantPlace | null, since: Date | null): ParticipantPlace | null =>
  since && !(after && after.updatedAt >= since) ? { updatedAt: since, id: "" } : after;

/**
 * The filter is first applied to the next participants of the list only. Their number is this constant times the rows
 * of a page, so the page is full if 4% of them match.
 */
const triesPerRow = 25;

/**
 * In the order of the last change. A reader that starts with the oldest and continues from a cursor receives each
 * change. Returns `limit` + 1 if there are more.
 *
 * The statement tries the next participants of the list first: if matches are common, these fill the page. If matches
 * are rare and the page isn't full, the statement reads all matches from the filter's index and sorts them.
 */
export const findParticipants = (sql: Sql, query: ParticipantQuery): Promise<ParticipantRow[]> => {
  const { values, bind } = binder();
  const { name, byFacets, matches, indexed, exact } = filterSql(query, bind);
  const inRange = rangeOf(query, bind);
  const limit = bind(query.limit + 1, "int");
  const tries = name === "" ? limit : bind(triesPerRow * (query.limit + 1), "int");
  const { direction } = orders[query.order];
  const inOrder = (table: string) => `ORDER BY ${table}.updated_at ${direction}, ${table}.id ${direction}`;
  const isFull = `(SELECT count(*) < ${tries} OR count(*) FILTER (WHERE t.matches) >= ${limit} FROM tried t)`;
  const pages = [
    `(SELECT t.id, t.updated_at FROM tried t WHERE t.matches ${inOrder("t")} LIMIT ${limit})`,
    `(SELECT s.id, s.updated_at FROM ${indexed} s WHERE NOT ${isFull} AND ${inRange("s")} ${inOrder("s")} LIMIT ${limit})`,
    ...(exact ? [`(SELECT e.id, e.updated_at FROM ${exact} WHERE ${byFacets("e")} AND ${inRange("e")})`] : []),
  ];
  const filtered = `WITH tried AS MATERIALIZED (
      SELECT p.id, p.updated_at, ${matches("p")} AS matches FROM participant p WHERE ${inRange("p")} ${inOrder("p")} LIMIT ${tries}
    ), page AS (${pages.join(" UNION ")})`;
  const unfiltered = `WITH page AS (SELECT p.id, p.updated_at FROM participant p WHERE ${inRange("p")} ${inOrder("p")} LIMIT ${limit})`;
  const list = statement<ParticipantRow>(
    `list_${query.order}_participants${name}`,
    `${name === "" ? unfiltered : filtered}
     SELECT ${participantColumns} FROM (SELECT f.id FROM page f ${inOrder("f")} LIMIT ${limit}) f
       JOIN LATERAL (SELECT * FROM participant WHERE id = f.id OFFSET 0) p ON true
       LEFT JOIN LATERAL (SELECT * FROM merchant WHERE id = p.merchant_id OFFSET 0) m ON true
      ${inOrder("p")}`,
  );
  return sql.query(list, values);
};
