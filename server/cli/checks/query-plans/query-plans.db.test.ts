import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { scriptedProcessor } from "../../../charges/charge/charge-setup.fixture.ts";
import { provideDeps } from "../../../http/runtime.ts";
import type { Acts } from "./acts/act.fixture.ts";
import { authorizationActs } from "./acts/authorization.fixture.ts";
import { pageActs } from "./acts/pages.fixture.ts";
import { billingActs, paymentActs } from "./acts/payments.fixture.ts";
import { workActs } from "./acts/work.fixture.ts";
import { actorsOf, makeWorld, type World } from "./acts/world.fixture.ts";
import { fillTables } from "./fill.fixture.ts";
import { type Bounds, type Catalog, judgePlan } from "./plan-rules.fixture.ts";
import { readCatalog } from "./read-catalog.fixture.ts";
import { plansDuring, type RecordedPlan } from "./record-plans.fixture.ts";

const total = Number(process.env["PLAN_ROWS"] ?? 60_000);
/** With fewer rows, statements are planned as if the tables were large. */
const isLong = total >= 1_000_000;

const requests: Acts = { ...authorizationActs, ...paymentActs, ...billingActs, ...pageActs };
const acts: Acts = { ...requests, ...workActs };

const request: Bounds = { isWork: false, rows: 500, ignored: 100 };
const batch: Bounds = { isWork: true, rows: 1_000, ignored: 500 };

/** Requests for lists and sums, which may read more rows of one tenant than other requests. */
const more: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Each charge of the period is counted, because refunds and disputes change it later. The other meters are sums.
  "usage: sums": { charge: 200_000, usage_hour: 10_000, verification_minute: 100_000, meter_minute: 100_000 },
  // The overview covers 60 days. It reads a sum per quarter of an hour, state and currency, and counts the disputes.
  "merchant: overview": { charge_sum: 50_000, dispute: 50_000 },
  // Each of three parts reads entries until 2,000 of them have one of the chosen actions.
  "merchant: audit log": { audit_entry: 100_000 },
};

const boundsOf = (name: string): Bounds => (name in workActs ? batch : { ...request, more: more[name] ?? {} });

let deps: TestDeps;
let node: TestDeps;
let world: World;
let catalog: Catalog;
const hour = 3_600_000;

beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors, config: { webhookLoopback: true } });
  provideDeps(deps);
  world = await makeWorld(deps);
  // The first run of each act creates the rows that are copied.
  for (const act of Object.values(acts)) await (await act(actorsOf(deps, world)))();
  const ids = {
    merchant_id: world.merchant.id,
    payer_id: world.payer.id,
    account_id: world.payer.id,
    client_id: world.agent.id,
    mandate_id: world.mandateId,
    grant_id: world.grant.id,
  };
  const filled = await fillTables(deps.config.databaseUrl, { total, ids });
  if (isLong) process.stdout.write(`${filled.rows.toLocaleString("en-GB")} rows, ${filled.size}\n`);
  catalog = await readCatalog(deps.config.databaseUrl);
  // A process with empty caches sends all statements.
  node = await anotherNode(deps);
  provideDeps(node);
}, hour);
afterAll(async () => {
  world.receiver.close();
  await node.close();
  await deps.close();
});

const plansOf = async (name: string): Promise<RecordedPlan[]> => {
  const act = acts[name];
  if (!act) throw new Error(`no act ${name}`);
  return plansDuring(await act(actorsOf(node, world)), { seesTablesAsLarge: !isLong });
};

/** Each problem of an act, with the beginning of its statement. */
const problemsOf = async (name: string): Promise<string[]> =>
  (await plansOf(name)).flatMap((plan) =>
    judgePlan(plan, catalog, boundsOf(name)).map(
      (problem) => `${problem}: ${plan.text.replaceAll(/\s+/g, " ").slice(0, 200)}`,
    ),
  );

describe("statements of hot paths find rows by a key (docs/adr/070-distribution-keys.md)", () => {
  test.each(Object.keys(acts))(
    "%s",
    async (name) => {
      expect(await problemsOf(name)).toEqual([]);
    },
    hour,
  );

  test.each([
    ["charges of a mandate, for its agent", "charge_mandate_id_created_at_idx"],
    ["consent page", "session_secret_hash_key"],
  ])("%s: the plan is refused without the index", async (name, index) => {
    await deps.db.prisma.$executeRawUnsafe(`DROP INDEX ${index}`);
    expect(await problemsOf(name)).not.toEqual([]);
  });
});
