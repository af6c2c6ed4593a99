import { type Db, statement, type Tx } from "../client.ts";

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
 * @param daysAfter returns the rows to append after these last hashes (one per component).
 */
export const appendComponentDays = (
  db: Db,
  daysAfter: (lastHashes: ReadonlyMap<string, string>) => readonly ComponentDayRow[],
): Promise<readonly ComponentDayRow[]> =>
  db.transaction(async (tx: Tx) => {
    await tx.sql.query(lockDays, []);
    const last = await tx.sql.query(listLastHashes, []);
    const rows = daysAfter(new Map(last.map(({ component, hash }) => [component, hash])));
    if (rows.length > 0) await tx.componentDay.createMany({ data: [...rows] });
    return rows;
  });
