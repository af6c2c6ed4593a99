import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findFreePorts } from "#server/cli/checks/free-ports.ts";
import { describeInstance } from "#server/cli/checks/test-instance.ts";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { makeActors } from "../actors.ts";
import { cpuSecondsByRole } from "../cpu-time.ts";
import { runOnce, warmUpSeconds } from "../measure.ts";
import { countStatements } from "../probe.ts";
import { formatAims } from "../report.ts";
import { makeTemplates, successes } from "../scenarios.ts";
import { type Child, startChild } from "../servers/child.ts";
import { startLoadGenerator, startProbedWeb } from "../servers/contenders.ts";
import { type Product, startProduct } from "../servers/product.ts";
import { type Begin, untilStopped } from "../servers/until-stopped.ts";
import { type ChargeCost, listCostAims, round } from "../targets.ts";
import { type DatabaseTotals, postponeCheckpoints, readDatabaseTotals } from "./database-cost.ts";
import { preparePgbench } from "./pgbench.ts";

const clients = 16;
const consents = 10;
const charges = 4_000;
const webProcesses = Math.min(os.availableParallelism(), 8);
const pgbenchSeconds = 10;
const deliverySeconds = 120;

/** The target doesn't include the CPU time of this role, because the role replaces an external payment processor. */
const excludedRole = "simulator";

/**
 * Measures what a charge costs (docs/spec/payments.md, Cost of a charge): CPU time, statements and WAL of the whole
 * service, including the delivery of the charge's webhook, and the rate compared with pgbench on the same server.
 * @throws StartError when a target is missed.
 */
export const runChargeCost = (): Promise<void> =>
  untilStopped(async (begin) => {
    const loadBefore = os.loadavg()[0] ?? 0;
    const { product, client, load, charging, pgbench, statements } = await prepare(begin);
    const tps = [await step("pgbench", () => pgbench.measure({ clients, seconds: pgbenchSeconds }))];
    const used = await step(`${charges} charges`, () => measure({ product, client, load, charging }));
    tps.push(await step("pgbench", () => pgbench.measure({ clients, seconds: pgbenchSeconds })));
    const cost = { ...used, statements, tps: tps.reduce((sum, each) => sum + each, 0) / tps.length };
    print(cost, { loadBefore, loadAfter: os.loadavg()[0] ?? 0 });
    const missed = listCostAims(cost).filter(({ isMet }) => !isMet);
    if (missed.length > 0) throw new StartError(`✗ not reached: ${missed.map(({ text }) => text).join("; ")}`);
  });

type Charging = {
  templates: { paygrant: ReturnType<typeof makeTemplates>["charge"] };
  expected: typeof successes.charge;
};

const prepare = async (begin: Begin) => {
  const product = await step("service", () => begin(startProduct(webProcesses, { OUTBOUND_LOOPBACK: "1" })));
  const client = await connectSuperuser(product);
  await begin(Promise.resolve({ stop: () => client.end() }));
  await postponeCheckpoints(client);
  const [port = 0] = await findFreePorts(1);
  const receiver = path.join(import.meta.dirname, "receiver.ts");
  await begin(startChild(receiver, { args: [String(port)] }));
  const load = await begin(startLoadGenerator());
  const pgbench = await step("pgbench's data", () => preparePgbench(client));
  const webhookUri = `http://127.0.0.1:${port}/events`;
  const actors = await step("actors", () => makeActors(product.issuer, product.databaseUrl, { consents, webhookUri }));
  const charge = makeTemplates({ actors, issuer: product.issuer }).charge;
  const charging: Charging = { templates: { paygrant: charge }, expected: successes.charge };
  const web = await startProbedWeb(product.webEnvironment);
  await begin(Promise.resolve({ stop: web.child.stop }));
  const statements = await step("statements", () => countStatements(charging, { load, web }));
  await web.child.stop();
  const warmUp = { seconds: warmUpSeconds * webProcesses, prepared: 1_000 * warmUpSeconds * webProcesses };
  await step("warm-up", () => runCharges({ product, load, charging }, warmUp));
  await step("vacuum", () => untilDelivered(product).then(() => client.query("VACUUM ANALYZE")));
  return { product, client, load, charging, pgbench, statements };
};

const connectSuperuser = async ({ databaseUrl, dataDirectory }: Product): Promise<pg.Client> => {
  const environment = { NODE_ENV: "production" as const, POSTGRES_PORT: new URL(databaseUrl).port };
  const { TEST_DATABASE_URL } = await describeInstance({ environment, dataDirectory });
  const client = new pg.Client({ connectionString: TEST_DATABASE_URL });
  await client.connect();
  return client;
};

type Measuring = { product: Product; load: Child; charging: Charging };

const runCharges = async (
  { product, load, charging }: Measuring,
  { seconds, prepared }: { seconds: number; prepared: number },
) =>
  runOnce(load, {
    port: product.port,
    request: await charging.templates.paygrant(),
    expected: charging.expected,
    connections: clients,
    seconds,
    ratePerSecond: null,
    prepared,
  });

/** Waits until every event has reached its endpoint. */
const untilDelivered = async ({ databaseUrl }: Product): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const isOpen = async () =>
    (
      await client.query(
        `SELECT FROM event WHERE dispatched_at IS NULL
         UNION ALL SELECT FROM webhook_delivery WHERE state = 'pending' LIMIT 1`,
      )
    ).rowCount !== 0;
  for (const deadline = performance.now() + deliverySeconds * 1000; await isOpen(); await sleep(500)) {
    if (performance.now() > deadline) throw new StartError(`events weren't delivered within ${deliverySeconds} s`);
  }
  await client.end();
};

const measure = async (measuring: Measuring & { client: pg.Client }) => {
  const { product, client } = measuring;
  const read = async () => ({ cpu: await cpuSecondsByRole(product.pid), database: await readDatabaseTotals(client) });
  const before = await read();
  const { answered, perSecond } = await runCharges(measuring, { seconds: 300, prepared: charges });
  await untilDelivered(product);
  const after = await read();
  const per = (name: keyof DatabaseTotals) => (after.database[name] - before.database[name]) / answered;
  const cpu = new Map(
    [...after.cpu].map(([role, seconds]) => [role, ((seconds - (before.cpu.get(role) ?? 0)) * 1000) / answered]),
  );
  return {
    perSecond,
    cpu,
    ownCpu: [...cpu].reduce((sum, [role, milliseconds]) => (role === excludedRole ? sum : sum + milliseconds), 0),
    walBytes: per("walBytes"),
    walRecords: per("walRecords"),
    walPages: per("walPages"),
    transactions: per("transactions"),
  };
};

const print = (cost: ChargeCost, { loadBefore, loadAfter }: { loadBefore: number; loadAfter: number }): void => {
  const roles = [...cost.cpu].sort(([, a], [, b]) => b - a);
  const lines = [
    "",
    `${charges.toLocaleString("en-GB")} charges of ${consents * 10} mandates, ${clients} clients, ${webProcesses} web processes; load ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after. Per charge:`,
    ...roles.map(([role, milliseconds]) => `  CPU ${role.padEnd(14)} ${milliseconds.toFixed(2).padStart(8)} ms`),
    `  CPU without ${excludedRole}${cost.ownCpu.toFixed(2).padStart(7)} ms`,
    `  statements of web  ${cost.statements.toFixed(1).padStart(7)}`,
    `  transactions, all  ${cost.transactions.toFixed(1).padStart(7)}`,
    `  WAL                ${Math.round(cost.walBytes).toString().padStart(7)} bytes in ${cost.walRecords.toFixed(1)} records, of them ${cost.walPages.toFixed(2)} with a whole page`,
    `  ${round(cost.perSecond)} charges/s; pgbench: ${round(cost.tps)} transactions/s`,
    "",
    formatAims(listCostAims(cost)),
    "",
  ];
  process.stdout.write(lines.join("\n"));
};
