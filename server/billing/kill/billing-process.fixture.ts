import { makeProcessDeps } from "../../charges/charge/process-deps.fixture.ts";
import type { Db, Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Processors } from "../../deps/processor-port.ts";
import { standingAt } from "../../kernel/time/clock.ts";
import { collectDueInvoices } from "../collection/collect-due-invoices.ts";
import { changePlan } from "../subscriptions/change/change-plan.ts";
import { previewChange } from "../subscriptions/change/preview-change.ts";
import { billDuePeriods } from "../subscriptions/run/bill-due-periods.ts";

/**
 * A process that runs billing, collection or plan changes four times in parallel. At `stopAt`, it stops and waits to be
 * killed. It writes one JSON line for each event. Argument: `BillingWork` as JSON.
 */
export type BillingWork = {
  databaseUrl: string;
  simulatorUrl: string;
  simulatorKey: string;
  /** business time */
  at: string;
  work: "run" | "collect" | "change";
  /**
   * where the process stops: at the SQL statement with this number, counting only statements in transactions, or
   * immediately before or after the call to the processor
   */
  stopAt: number | "before_call" | "after_call";
  /** the merchants whose plan is changed */
  merchantIds: readonly string[];
};
const input = JSON.parse(process.argv[2] ?? "") as BillingWork;
const lanes = 4;

let isStopped = false;
/** Never returns, so that the transactions stay open until the process is killed. */
const stopHere = (point: string): Promise<never> => {
  if (!isStopped) console.log(JSON.stringify({ stopped: point }));
  isStopped = true;
  return new Promise<never>(() => {});
};

let statements = 0;
const stoppable = (sql: Sql): Sql => ({
  query(statement, values) {
    statements += 1;
    return isStopped || statements === input.stopAt ? stopHere(statement.name) : sql.query(statement, values);
  },
});
const stoppableDb = (db: Db): Db => ({
  ...db,
  sqlTransaction: (work, options) => db.sqlTransaction((sql) => work(stoppable(sql)), options),
});
const stoppableProcessors = (processors: Processors): Processors => ({
  get(name) {
    const port = processors.get(name);
    const { ownAccount } = port;
    if (!ownAccount) return port;
    return {
      ...port,
      ownAccount: {
        ...ownAccount,
        async pay(request) {
          if (input.stopAt === "before_call") return stopHere("before_call");
          const outcome = await ownAccount.pay(request);
          return input.stopAt === "after_call" ? stopHere("after_call") : outcome;
        },
      },
    };
  },
});

const real = makeProcessDeps(input);
const deps: Deps = {
  ...real,
  db: stoppableDb(real.db),
  processors: stoppableProcessors(real.processors),
  businessClock: standingAt(new Date(input.at)),
};

const change = async (merchantId: string): Promise<void> => {
  const wanted = { merchantId, planId: "scale", version: null, effective: "now" } as const;
  const { hash } = await previewChange(deps, { ...wanted, currency: null });
  const by = { actor: { kind: "operator", id: "acc_1" }, requestId: "req_1" } as const;
  await changePlan(deps, { ...wanted, ...by, cancelAt: undefined, hasSeen: (seen) => seen === hash });
  console.log(JSON.stringify({ changed: merchantId }));
};

const waiting = [...input.merchantIds];
const workInLane = async (): Promise<void> => {
  if (input.work === "run") while ((await billDuePeriods(deps, { limit: 1 })) > 0);
  if (input.work === "collect") while ((await collectDueInvoices(deps, { limit: 1 })) > 0);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await change(next);
};

console.log(JSON.stringify({ ready: true }));
await Promise.all(Array.from({ length: lanes }, workInLane));
console.log(JSON.stringify({ finished: true }));
