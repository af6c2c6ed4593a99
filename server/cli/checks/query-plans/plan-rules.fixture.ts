import type { PlanNode, RecordedPlan } from "./record-plans.fixture.ts";

/** `table`: the parent of `relation`, which may be a partition. */
type Index = { relation: string; table: string; columns: readonly string[]; isPartial: boolean };

export type Catalog = {
  indexes: ReadonlyMap<string, Index>;
  /** the parent of each partition */
  parents: ReadonlyMap<string, string>;
  /** partitions with so few rows that PostgreSQL may read them in any way */
  nearlyEmpty: ReadonlySet<string>;
  growing: ReadonlySet<string>;
  small: ReadonlySet<string>;
};

export type Bounds = {
  /** whether a worker runs the statements for all tenants; they may then find rows by time */
  isWork: boolean;
  /** rows that a statement may read from one table */
  rows: number;
  /** rows that a statement may read and then ignore */
  ignored: number;
  /** tables of which it may read more rows */
  more?: Readonly<Record<string, number>>;
};

/** A tenant, or an object that belongs to one tenant. */
const tenant =
  /^((agent_|merchant_|owner_)?(merchant|mandate|client|payer|account|participant|owner)|grant|family|subscription|endpoint|invoice|payment_method|charge|object|subject|actor|delivery|spend|alert|domain)_id$/;
/** The id, key or hash of one row, which the caller presents or another row contains. */
const row =
  /^(id|handle|jti|jkt|key|email|recipient|kid|operation|thumbprint|request_id|event_id|[a-z_]+_ref|[a-z_]*hash|domain|credential_kid|list_number|shard|number)$/;
const time = /^(at|exp|iat|slot|hour|minute|day|time|seq|[a-z_]+_at|[a-z_]+_until|obsolete_after)$/;

type KeyKind = "tenant" | "row" | "time";

/** The kind of key that the first column of an index is; null: it isn't a key, so rows of all tenants match it. */
export const keyKindOf = (column: string): KeyKind | null => {
  // An audit entry names its merchant in its data: (data ->> 'merchant_id'::text).
  const name = (/^\(data ->> '(\w+)'::text\)$/.exec(column)?.[1] ?? column).replaceAll('"', "");
  if (tenant.test(name)) return "tenant";
  if (row.test(name)) return "row";
  return time.test(name) ? "time" : null;
};

const names = (condition: string, column: string): boolean =>
  condition.includes(column) && (column.startsWith("(") || new RegExp(`(?<![.\\w])${column}(?!\\w)`).test(condition));

type Context = { catalog: Catalog; bounds: Bounds; problems: Set<string>; read: Map<string, number> };

const tableOf = ({ parents }: Catalog, relation: string): string => parents.get(relation) ?? relation;

const judgeIndex = (node: PlanNode, index: Index, { catalog, bounds, problems }: Context): void => {
  const { relation, table, columns, isPartial } = index;
  const [lead = ""] = columns;
  const condition = node["Index Cond"] ?? "";
  if (catalog.small.has(table) || catalog.nearlyEmpty.has(relation)) return;
  const kind = keyKindOf(lead);
  const label = `${table} by ${node["Index Name"]}`;
  if (kind === null) problems.add(`${label}: its first column, ${lead}, isn't a key`);
  else if (kind === "time" && !bounds.isWork) problems.add(`${label}: a request finds rows of all tenants by time`);
  // A worker reads the index of a queue from its beginning.
  else if (!names(condition, lead) && !(bounds.isWork && (kind === "time" || isPartial))) {
    problems.add(`${label}: reads the whole index`);
  }
};

const judgeScan = (node: PlanNode, relation: string, { catalog, problems }: Context): void => {
  const table = tableOf(catalog, relation);
  if (!catalog.growing.has(table) && !catalog.small.has(table)) {
    problems.add(`${table}: not listed in tables.fixture.ts`);
  }
  const isSequential = node["Node Type"] === "Seq Scan" || node["Node Type"] === "Tid Range Scan";
  if (isSequential && catalog.growing.has(table) && !catalog.nearlyEmpty.has(relation)) {
    problems.add(`${table}: sequential scan`);
  }
};

const count = (node: PlanNode, relation: string, { catalog, bounds, problems, read }: Context): void => {
  const loops = node["Actual Loops"] ?? 0;
  const ignored = ((node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) * loops;
  const table = tableOf(catalog, relation);
  if (!catalog.growing.has(table)) return;
  read.set(table, (read.get(table) ?? 0) + (node["Actual Rows"] ?? 0) * loops + ignored);
  if (ignored > (bounds.more?.[table] ?? bounds.ignored))
    problems.add(`${table}: reads and ignores ${Math.round(ignored)} rows`);
};

/** How the growing tables under a node are found. */
const kindsUnder = (node: PlanNode, catalog: Catalog): KeyKind[] => {
  const index = catalog.indexes.get(node["Index Name"] ?? "");
  const kind = index && catalog.growing.has(index.table) ? keyKindOf(index.columns[0] ?? "") : null;
  const below = (node.Plans ?? []).filter(isJoined).flatMap((child) => kindsUnder(child, catalog));
  return kind ? [kind, ...below] : below;
};

const isJoined = (node: PlanNode): boolean => !["InitPlan", "SubPlan"].includes(node["Parent Relationship"] ?? "");

/** If both sides of a join are found by time only, each side has rows of all tenants. */
const judgeJoin = (node: PlanNode, { catalog, problems }: Context): void => {
  if (!/^(Nested Loop|Hash Join|Merge Join)$/.test(node["Node Type"])) return;
  const sides = (node.Plans ?? []).filter(isJoined).map((side) => kindsUnder(side, catalog));
  const isAcross =
    sides.length === 2 && sides.every((kinds) => kinds.length > 0 && kinds.every((kind) => kind === "time"));
  const condition = node["Hash Cond"] ?? node["Merge Cond"] ?? node["Join Filter"] ?? "";
  if (isAcross) problems.add(`a join across tenants ${condition}`);
};

const visit = (node: PlanNode, context: Context): void => {
  const index = node["Index Name"] === undefined ? undefined : context.catalog.indexes.get(node["Index Name"]);
  if (index) judgeIndex(node, index, context);
  const relation = node["Relation Name"];
  if (node["Node Type"] !== "ModifyTable" && relation !== undefined) {
    judgeScan(node, relation, context);
    count(node, relation, context);
  }
  judgeJoin(node, context);
  for (const child of node.Plans ?? []) visit(child, context);
};

/** @returns why a plan would become slower as the number of tenants or rows grows. */
export const judgePlan = ({ plan }: RecordedPlan, catalog: Catalog, bounds: Bounds): string[] => {
  const context: Context = { catalog, bounds, problems: new Set(), read: new Map() };
  visit(plan, context);
  for (const [table, rows] of context.read) {
    if (rows > (bounds.more?.[table] ?? bounds.rows)) context.problems.add(`${table}: reads ${Math.round(rows)} rows`);
  }
  return [...context.problems];
};
