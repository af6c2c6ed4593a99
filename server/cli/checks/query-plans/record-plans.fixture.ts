import pg from "pg";

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` describes it. */
export type PlanNode = {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Subplan Name"?: string;
  "Relation Name"?: string;
  Alias?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Recheck Cond"?: string;
  Filter?: string;
  "Join Filter"?: string;
  "Hash Cond"?: string;
  "Merge Cond"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
};

export type RecordedPlan = { text: string; plan: PlanNode };

type Sent = { text: string; values?: readonly unknown[] };

const isPlannable = (text: string): boolean => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE)\b/i.test(text);
const begins = /^\s*(BEGIN|START TRANSACTION)\b/i;
const ends = /^\s*(COMMIT|END|ROLLBACK|ABORT)\b(?!\s+TO\b)/i;

/** Elements are quoted, so that PostgreSQL reads the array with the type of the parameter. */
const arrayText = (values: readonly unknown[]): string =>
  `{${values.map((value) => (value === null ? "NULL" : Array.isArray(value) ? arrayText(value) : quoted(value))).join(",")}}`;
const quoted = (value: unknown): string => `"${textOf(value).replaceAll(/["\\]/g, "\\$&")}"`;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const literal = (value: unknown): string =>
  value === null || value === undefined ? "NULL" : pg.escapeLiteral(textOf(value));

/**
 * PostgreSQL reads small tables whole, hashes them, and combines their indexes. With these settings, it looks rows up,
 * as in large tables. It still scans a table if no index fits.
 */
const planAsForLargeTables = ["seqscan", "hashjoin", "mergejoin", "bitmapscan"].map(
  (method) => `SET LOCAL enable_${method} = off`,
);

/**
 * Explains a statement by running it on the product's connection, just before the product runs it, and undoes its
 * changes. The statement therefore reads the same rows, and its plan is the generic plan that the product uses.
 */
const explain = async (
  run: (text: string) => Promise<{ rows: unknown[] }>,
  { text, values = [] }: Sent,
  { isInTransaction, seesTablesAsLarge }: { isInTransaction: boolean; seesTablesAsLarge: boolean },
): Promise<PlanNode> => {
  const parameters = values.length > 0 ? `(${values.map(literal).join(",")})` : "";
  const steps = [
    isInTransaction ? "SAVEPOINT before_explain" : "BEGIN",
    ...(seesTablesAsLarge ? planAsForLargeTables : []),
    `PREPARE explained AS ${text}`,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained${parameters}`,
    isInTransaction ? "ROLLBACK TO before_explain" : "ROLLBACK",
    "DEALLOCATE explained",
  ];
  // All steps are queued at once: no statement of the product can come between them.
  const results = await Promise.allSettled(steps.map(run));
  const explained = results[steps.findIndex((step) => step.startsWith("EXPLAIN"))];
  const failed = results.find((result) => result.status === "rejected");
  if (explained?.status !== "fulfilled") {
    throw new Error(`${failed?.status === "rejected" ? failed.reason : ""}: ${text}`);
  }
  const [row] = explained.value.rows as { "QUERY PLAN": { Plan: PlanNode }[] }[];
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  if (!plan) throw new Error(`no plan: ${text}`);
  return plan;
};

/**
 * The plans of all statements that this process sends during `work`, those of Prisma included.
 * @param options.seesTablesAsLarge plans statements as if the tables were large.
 */
export const plansDuring = async (
  work: () => Promise<unknown>,
  { seesTablesAsLarge = false }: { seesTablesAsLarge?: boolean } = {},
): Promise<RecordedPlan[]> => {
  const recorded: Promise<RecordedPlan>[] = [];
  const inTransaction = new WeakSet<pg.Client>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [first] = sent as [string | Sent];
    const { text, values = [] } = typeof first === "string" ? { text: first } : first;
    if (begins.test(text)) inTransaction.add(this);
    else if (ends.test(text)) inTransaction.delete(this);
    else if (isPlannable(text)) {
      const run = (step: string) => Reflect.apply(query, this, [step]) as Promise<{ rows: unknown[] }>;
      const all = Array.isArray(sent[1]) ? (sent[1] as unknown[]) : values;
      const state = { isInTransaction: inTransaction.has(this), seesTablesAsLarge };
      recorded.push(explain(run, { text, values: all }, state).then((plan) => ({ text, plan })));
    }
    return Reflect.apply(query, this, sent);
  } as typeof query;
  let outcome: PromiseSettledResult<unknown>;
  try {
    [outcome] = await Promise.allSettled([work()]);
  } finally {
    pg.Client.prototype.query = query;
  }
  const plans = await Promise.all(recorded);
  if (outcome.status === "rejected") throw outcome.reason;
  return plans;
};
