import os from "node:os";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { makeActors } from "../actors.ts";
import { type MeasuredService, startMeasuredService, untilDelivered, vacuum } from "../cost/measured-service.ts";
import { excludedRole, readServiceTotals, usedBetween } from "../cost/service-totals.ts";
import { runOnce, warmUpSeconds } from "../measure.ts";
import { countStatements } from "../probe.ts";
import { formatAims } from "../report.ts";
import { makeTemplates, successes } from "../scenarios.ts";
import { startProbedWeb } from "../servers/contenders.ts";
import { type Begin, untilStopped } from "../servers/until-stopped.ts";
import { type ChargeCost, listCostAims, round } from "../targets.ts";
import { preparePgbench } from "./pgbench.ts";

const clients = 16;
const consents = 10;
const charges = 4_000;
const webProcesses = Math.min(os.availableParallelism(), 8);
const pgbenchSeconds = 10;

/**
 * Measures what a charge costs (docs/spec/payments.md, Cost of a charge): CPU time, statements and WAL of the whole
 * service, including the delivery of the charge's webhook, and the rate compared with pgbench on the same server.
 * @throws StartError when a target is missed.
 */
export const runChargeCost = (): Promise<void> =>
  untilStopped(async (begin) => {
    const loadBefore = os.loadavg()[0] ?? 0;
    const { service, charging, pgbench, statements } = await prepare(begin);
    const tps = [await step("pgbench", () => pgbench.measure({ clients, seconds: pgbenchSeconds }))];
    const used = await step(`${charges} charges`, () => measure({ service, charging }));
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
  const service = await startMeasuredService(begin, webProcesses);
  const { product, client, load, webhookUri } = service;
  const pgbench = await step("pgbench's data", () => preparePgbench(client));
  const actors = await step("actors", () => makeActors(product.issuer, product.databaseUrl, { consents, webhookUri }));
  const charge = makeTemplates({ actors, issuer: product.issuer }).charge;
  const charging: Charging = { templates: { paygrant: charge }, expected: successes.charge };
  const web = await startProbedWeb(product.webEnvironment);
  await begin(Promise.resolve({ stop: web.child.stop }));
  const statements = await step("statements", () => countStatements(charging, { load, web }));
  await web.child.stop();
  const warmUp = { seconds: warmUpSeconds * webProcesses, prepared: 1_000 * warmUpSeconds * webProcesses };
  await step("warm-up", () => runCharges({ service, charging }, warmUp));
  await step("vacuum", () => untilDelivered(product).then(() => vacuum(service)));
  return { service, charging, pgbench, statements };
};

type Measuring = { service: MeasuredService; charging: Charging };

const runCharges = async (
  { service, charging }: Measuring,
  { seconds, prepared }: { seconds: number; prepared: number },
) =>
  runOnce(service.load, {
    port: service.product.port,
    request: await charging.templates.paygrant(),
    expected: charging.expected,
    connections: clients,
    seconds,
    ratePerSecond: null,
    prepared,
  });

const measure = async (measuring: Measuring) => {
  const { service } = measuring;
  const before = await readServiceTotals(service);
  const { answered, perSecond } = await runCharges(measuring, { seconds: 300, prepared: charges });
  await untilDelivered(service.product);
  const used = usedBetween(before, await readServiceTotals(service));
  const per = (name: keyof typeof used.database) => used.database[name] / answered;
  const cpu = new Map([...used.cpu].map(([role, seconds]) => [role, (seconds * 1000) / answered]));
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
    `  WAL                ${Math.round(cost.walBytes).toString().padStart(7)} bytes in ${cost.walRecords.toFixed(1)} records, ${cost.walPages.toFixed(2)} of them with a whole page`,
    `  ${round(cost.perSecond)} charges/s; pgbench: ${round(cost.tps)} transactions/s`,
    "",
    formatAims(listCostAims(cost)),
    "",
  ];
  process.stdout.write(lines.join("\n"));
};
