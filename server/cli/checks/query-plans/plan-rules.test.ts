import { expect, test } from "vitest";
import { type Bounds, type Catalog, judgePlan, keyKindOf } from "./plan-rules.fixture.ts";
import type { PlanNode } from "./record-plans.fixture.ts";

const index = (relation: string, columns: string[], isPartial = false) => ({
  relation,
  table: relation.replace(/_\d+$/, ""),
  columns,
  isPartial,
});

const catalog: Catalog = {
  indexes: new Map([
    ["charge_merchant", index("charge_1", ["merchant_id", "created_at"])],
    ["charge_state", index("charge_1", ["state", "created_at"])],
    ["charge_due", index("charge_1", ["next_lookup_at"], true)],
    ["refund_due", index("refund", ["next_lookup_at"], true)],
  ]),
  parents: new Map([
    ["charge_1", "charge"],
    ["charge_2", "charge"],
    ["refund", "refund"],
  ]),
  nearlyEmpty: new Set(["charge_2"]),
  growing: new Set(["charge", "refund"]),
  small: new Set(["signing_key"]),
};
const request: Bounds = { isWork: false, rows: 100, ignored: 10 };
const work: Bounds = { ...request, isWork: true };

const scan = (name: string, condition?: string, more: Partial<PlanNode> = {}): PlanNode => ({
  "Node Type": "Index Scan",
  "Relation Name": name.startsWith("refund") ? "refund" : "charge_1",
  "Index Name": name,
  ...(condition === undefined ? {} : { "Index Cond": condition }),
  "Actual Rows": 1,
  "Actual Loops": 1,
  ...more,
});
const sequential = (relation: string): PlanNode => ({ "Node Type": "Seq Scan", "Relation Name": relation });
const judge = (plan: PlanNode, bounds = request) => judgePlan({ text: "", plan }, catalog, bounds);

test.each([
  ["a look-up by tenant", scan("charge_merchant", "((merchant_id = $1) AND (created_at < $2))"), request],
  ["a scan of a partition without rows", sequential("charge_2"), request],
  ["a scan of a small table", sequential("signing_key"), request],
  ["a worker that finds rows by time", scan("charge_due", "(next_lookup_at <= $1)"), work],
  ["a worker that reads the beginning of a queue", scan("charge_due"), work],
])("accepts %s", (_, plan, bounds) => {
  expect(judge(plan, bounds)).toEqual([]);
});

test.each<[string, PlanNode, Bounds, string]>([
  ["a sequential scan", sequential("charge_1"), request, "charge: sequential scan"],
  ["a table that isn't listed", sequential("unknown"), request, "unknown: not listed"],
  ["an index whose first column isn't a key", scan("charge_state", "(state = 'a')"), request, "state, isn't a key"],
  ["a request that finds rows by time", scan("charge_due", "(next_lookup_at <= $1)"), request, "by time"],
  ["a condition on later columns only", scan("charge_merchant", "(created_at < $1)"), request, "the whole index"],
  [
    "a condition on another table's column of the same name",
    scan("charge_merchant", "(created_at < m.merchant_id)"),
    request,
    "the whole index",
  ],
  ["many rows", scan("charge_merchant", "(merchant_id = $1)", { "Actual Loops": 101 }), request, "reads 101 rows"],
  [
    "many ignored rows",
    scan("charge_merchant", "(merchant_id = $1)", { "Rows Removed by Filter": 11 }),
    request,
    "ignores 11 rows",
  ],
  [
    "a join of two sets that were found by time",
    {
      "Node Type": "Hash Join",
      "Hash Cond": "(c.created_at = r.created_at)",
      Plans: [scan("charge_due", "(next_lookup_at <= $1)"), scan("refund_due", "(next_lookup_at <= $1)")],
    },
    work,
    "a join across tenants (c.created_at = r.created_at)",
  ],
])("refuses %s", (_, plan, bounds, problem) => {
  expect(judge(plan, bounds).join("\n")).toContain(problem);
});

test("the first column of an index determines how it finds rows: by tenant, row or time", () => {
  expect(["merchant_id", "agent_client_id", "(data ->> 'owner_id'::text)"].map(keyKindOf)).toEqual(
    Array(3).fill("tenant"),
  );
  expect(["id", "secret_hash", "jti"].map(keyKindOf)).toEqual(Array(3).fill("row"));
  expect(["created_at", '"time"', "slot"].map(keyKindOf)).toEqual(Array(3).fill("time"));
  expect(["state", "amount", "currency", "lower(display_name)"].map(keyKindOf)).toEqual(Array(4).fill(null));
});
