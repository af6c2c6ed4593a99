import { type Sql, statement, type Tx } from "../client.ts";

type ComponentDayRow = {
  component: string;
  day: Date;
  figures: Readonly<Record<string, number>>;
  previousHash: string;
  hash: string;
  frozenAt: Date;
};

const lockDays = statement<{ locked: boolean }>(
  "lock_component_days",
  "SELECT true AS locked FROM pg_advisory_xact_lock(hashtextextended('paygrant.component_day', 0))",
);

type LastHash = { component: string; hash: string };
const listLastHashes = statement<LastHash>(
  "list_last_day_hashes",
  "SELECT DISTINCT ON (component) component, hash FROM component_day ORDER BY component, day DESC",
);

/**
 * Appends days under a lock: callers take turns, and each continues the previous caller's chain.
 * @param daysAfter gets the last hash of each component, and returns the rows to append.
 */
export const appendComponentDays = (
  db: { transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> },
  daysAfter: (lastHashes: ReadonlyMap<string, string>) => readonly ComponentDayRow[],
): Promise<readonly ComponentDayRow[]> =>
  db.transaction(async (tx: Tx) => {
    await tx.sql.query(lockDays, []);
    const last = await tx.sql.query(listLastHashes, []);
    const rows = daysAfter(new Map(last.map(({ component, hash }) => [component, hash])));
    if (rows.length > 0) await tx.componentDay.createMany({ data: [...rows] });
    return rows;
  });

/** Totals of a component's frozen days in one UTC month. Durations are in milliseconds. */
export type FrozenMonth = {
  component: string;
  up: bigint;
  down: bigint;
  excluded: bigint;
  unmeasured: bigint;
  /** the hash of the last frozen day in the month */
  dayHash: string;
};

const sumDays = statement<FrozenMonth>(
  "sum_frozen_month",
  `SELECT component, sum((figures->>'up')::bigint)::bigint AS up, sum((figures->>'down')::bigint)::bigint AS down,
          sum((figures->>'excluded')::bigint)::bigint AS excluded, sum((figures->>'unmeasured')::bigint)::bigint AS unmeasured,
          (array_agg(hash ORDER BY day DESC))[1] AS "dayHash"
     FROM component_day WHERE day >= $1::date AND day < $2::date GROUP BY component`,
);

/** The totals of each component that has frozen days in the period, which includes `from` but not `to`. */
export const sumFrozenMonth = (sql: Sql, { from, to }: { from: Date; to: Date }): Promise<FrozenMonth[]> =>
  sql.query(sumDays, [from, to]);

/**
 * `isMeasured`: whether a probe has ever found the component up or down. Otherwise it is treated as not deployed.
 */
export type FrozenUntil = { component: string; lastDay: Date; isMeasured: boolean };

const listLast = statement<FrozenUntil>(
  "list_last_frozen_days",
  `SELECT component, max(day)::timestamp AT TIME ZONE 'UTC' AS "lastDay",
          bool_or((figures->>'up')::bigint + (figures->>'down')::bigint > 0) AS "isMeasured"
     FROM component_day GROUP BY component`,
);

/** The last frozen day of each component that has one. */
export const listFrozenUntil = (sql: Sql): Promise<FrozenUntil[]> => sql.query(listLast, []);
