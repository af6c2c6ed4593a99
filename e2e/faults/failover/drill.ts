import { request } from "node:http";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { describeInstance } from "#server/cli/checks/test-instance.ts";
import { isComplete } from "#server/cli/ha/database-cluster.ts";
import { type HaInstallation, startHa } from "#server/cli/ha/start-ha.ts";
import { StartError } from "#server/cli/supervisor/steps.ts";
import { connectDatabase, type Db } from "#server/data/client.ts";
import { findViolations } from "#server/data/invariants/invariants.ts";
import { createRandom } from "../../malformed/random.ts";
import { databaseUrlOf } from "../../support/instance.ts";
import { clientToken, type Merchant, registerMerchant } from "../../support/oauth/parties.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/peers/webhook-receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { compareBooks } from "../books.ts";
import { answerWaiting, askAllAgain, newRun, type Run, runClients } from "../charge-driver.ts";
import { compareDeliveries } from "../hooks.ts";
import { createMandatePool, type MandatePool, type PooledMandate } from "../mandate-pool.ts";
import { awaitSettled } from "../settle.ts";
import { isLost, readTargets, startLoad } from "../steady-load.ts";
import { type Fault, faults } from "./cluster-faults.ts";
import { countStatuses, requestTokens, secondsWithoutWrites } from "./token-load.ts";

export const drillUsage = `npm run ha -- drill [--times 1] [--tokens 100] [--clients 20] [--only TEXT]
runs the faults of e2e/faults/failover one after the other under load (--tokens token requests a second and
--clients paying clients), checks after each fault that nothing was lost or done twice, and prints the seconds without writes and the responses`;

type Options = { times: number; tokens: number; clients: number; only: string };

const readOptions = (args: readonly string[]): Options => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...args], options: { times: text, tokens: text, clients: text, only: text } });
  const number = (name: "times" | "tokens" | "clients", otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 1 || value > 1_000) throw new StartError(`--${name}: 1 to 1000`);
    return value;
  };
  const [times, tokens, clients] = [number("times", 1), number("tokens", 100), number("clients", 20)];
  return { times, tokens, clients, only: values.only ?? "" };
};

const secondsBefore = 5;
/** Patroni reports a lost node only after its next check. */
const noticeSeconds = 8;
const secondsAfter = 5;
const completeSeconds = 120;
const settleSeconds = 240;
const readsPerSecond = 20;
const printedProblems = 10;

/** The status of a request that one web process answers, without nginx. */
const askNode = (nodeUrl: string, baseUrl: string, { token, mandate }: { token: string; mandate: PooledMandate }) =>
  new Promise<number>((resolve, reject) => {
    const headers = {
      host: new URL(baseUrl).host,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    const body = { mandate_id: mandate.mandateId, amount: 1, currency: "EUR", payer_presence: "in_session" };
    request(`${nodeUrl}/merchant_test/charge`, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once("error", reject)
      .end(JSON.stringify(body));
  });

type World = {
  installation: HaInstallation;
  db: Db;
  options: Options;
  /** the same in each round: registrations are limited */
  merchants: readonly [Merchant, Merchant];
  /** one for each round; all stay open, because an earlier round's agents may get events later */
  receivers: WebhookReceiver[];
};

const isRepaired = async ({ database }: HaInstallation): Promise<boolean> => isComplete(await database.listMembers());

/** @returns the mandates that a web process still accepts after their revocation, in words. */
const findUnrevoked = async ({ installation }: World, mandate: PooledMandate): Promise<string[]> => {
  const baseUrl = installation.environment["SANDBOX_URL"] ?? "";
  const [merchant] = mandate.merchants;
  if (!merchant) throw new Error("the mandate has no merchant");
  const token = await clientToken(merchant);
  const problems: string[] = [];
  for (const url of installation.webUrls.sandbox) {
    const status = await askNode(url, baseUrl, { token, mandate });
    if (status !== 403) problems.push(`${url} answers ${status} to a charge of a revoked mandate`);
  }
  return problems;
};

/** Load until the cluster is complete again after the fault. */
const inflictUnderLoad = async (world: World, fault: Fault, { pool, run, seed, merchant }: Load) => {
  const { installation, options } = world;
  let isEnding = false;
  const publicReads = readTargets.filter(({ path }) => path !== "/readyz");
  const endTokens = requestTokens(merchant, options.tokens);
  const endReads = startLoad(merchant.baseUrl, readsPerSecond, publicReads);
  const paying = runClients(pool, run, { clients: options.clients, seed, isOver: () => isEnding });
  await sleep(secondsBefore * 1000);
  const startedAt = Date.now();
  await fault.inflict(installation);
  await sleep(noticeSeconds * 1000);
  await waitUntil(() => isRepaired(installation), completeSeconds);
  const repairedAfter = (Date.now() - startedAt) / 1000;
  await sleep(secondsAfter * 1000);
  isEnding = true;
  const [tokens, reads] = await Promise.all([endTokens(), endReads(), paying]);
  return { tokens, reads, repairedAfter };
};

type Load = { pool: MandatePool; run: Run; seed: number; merchant: Merchant };
type Loaded = Awaited<ReturnType<typeof inflictUnderLoad>>;

/** What the responses to token requests and reads show, in words. */
const responseProblems = (fault: Fault, { tokens, reads }: Loaded): string[] => {
  const seconds = secondsWithoutWrites(tokens);
  const wrong = tokens.filter(({ status }) => status !== 200 && status !== 503 && status !== 0);
  return [
    ...(seconds > fault.withoutWritesSeconds ? [`${seconds} s without writes`] : []),
    ...wrong.slice(0, 3).map(({ status }) => `a token request was answered with ${status}`),
    ...(tokens.some(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter)
      ? ["503 without Retry-After"]
      : []),
    ...reads
      .filter(isLost)
      .slice(0, 3)
      .map((read) => `a read failed: ${JSON.stringify(read)}`),
  ];
};

/** Inflicts one fault under load. @returns what is wrong, in words. */
const runRound = async (world: World, fault: Fault, seed: number): Promise<string[]> => {
  const { installation, db, merchants } = world;
  const receiver = await startWebhookReceiver();
  world.receivers.push(receiver);
  const baseUrl = installation.environment["SANDBOX_URL"] ?? "";
  const run = newRun();
  const pool = await createMandatePool(baseUrl, { merchants, hookUrl: receiver.url, isOver: () => false });
  const revoked = await pool.revoke(createRandom(seed, -2));
  const loaded = await inflictUnderLoad(world, fault, { pool, run, seed, merchant: merchants[0] });

  const settling = { seconds: settleSeconds, isHastened: true };
  await awaitSettled(db, { ...settling, listPending: async () => [] });
  await askAllAgain(run);
  await awaitSettled(db, { ...settling, listPending: () => answerWaiting(run, createRandom(seed, -3)) });

  const books = await compareBooks(db, merchants, run.orders);
  const deliveries = await compareDeliveries(db, pool, receiver);
  console.log({
    fault: fault.name,
    secondsWithoutWrites: secondsWithoutWrites(loaded.tokens),
    repairedAfter: loaded.repairedAfter,
    tokens: countStatuses(loaded.tokens),
    orders: Object.fromEntries(run.complaints.statuses),
    charges: books.charges,
    refunds: books.refunds,
    revocations: run.revocations,
    events: deliveries.events,
    reads: loaded.reads.length,
    lostReads: loaded.reads.filter(isLost).length,
    load: os.loadavg()[0],
  });
  return [
    ...run.complaints.problems,
    ...books.problems,
    ...deliveries.problems,
    ...responseProblems(fault, loaded),
    ...(await findUnrevoked(world, revoked)),
    ...(await findViolations(db.sql)).map((violation) => JSON.stringify(violation)),
  ];
};

/** Implements `npm run ha -- drill`. @throws StartError if anything was lost, done twice or answered wrongly. */
export const runDrill = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  const chosen = faults.filter(({ name }) => name.includes(options.only));
  if (chosen.length === 0) throw new StartError(`--only: ${faults.map(({ name }) => name).join(", ")}`);
  const installation = await startHa({
    OUTBOUND_LOOPBACK: "1",
    LOG_LEVEL: "error",
    RATE_LIMITS: "registration.address=off",
  });
  Object.assign(
    process.env,
    await describeInstance({ environment: installation.environment, dataDirectory: installation.dataDirectory }),
  );
  const db = connectDatabase(databaseUrlOf("sandbox"), 2);
  const baseUrl = installation.environment["SANDBOX_URL"] ?? "";
  const merchants = [await registerMerchant(baseUrl), await registerMerchant(baseUrl)] as const;
  const world: World = { installation, db, options, merchants, receivers: [] };
  const problems: string[] = [];
  const stop = async () => {
    for (const receiver of world.receivers) receiver.close();
    await db.close();
    await installation.stop();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    for (let time = 1; time <= options.times; time++) {
      for (const fault of chosen) {
        const found = await runRound(world, fault, Date.now() % 1_000_000);
        problems.push(...found.map((problem) => `${fault.name}, time ${time}: ${problem}`));
        for (const problem of found.slice(0, printedProblems)) console.log(`  ✗ ${problem}`);
      }
    }
  } finally {
    await stop();
  }
  if (problems.length > 0) throw new StartError(`✗ ${problems.length} problems, see above`);
  console.log(`✓ ${options.times * chosen.length} faults, nothing lost, nothing done twice`);
};
