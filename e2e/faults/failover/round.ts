import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isComplete } from "#server/cli/ha/database-cluster.ts";
import { findViolations } from "#server/data/invariants/invariants.ts";
import { createRandom } from "../../malformed/random.ts";
import { startWebhookReceiver } from "../../support/peers/webhook-receiver.ts";
import { listRole } from "../../support/processes.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { compareBooks } from "../books.ts";
import { answerWaiting, askAllAgain, newRun, type Run, runClients } from "../charge-driver.ts";
import { compareDeliveries } from "../hooks.ts";
import { createMandatePool, type MandatePool } from "../mandate-pool.ts";
import { awaitSettled } from "../settle.ts";
import { isLost, readTargets, startLoad } from "../steady-load.ts";
import type { Fault } from "./cluster-faults.ts";
import { compareConsents, giveConsents } from "./consents.ts";
import { createPace } from "./pace.ts";
import { findUnrevoked } from "./revocations.ts";
import { checkStatusPage } from "./status-truth.ts";
import {
  countStatuses,
  findFailing,
  findGap,
  type Gap,
  rateOf,
  requestToken,
  requestTokens,
  secondsOf,
} from "./token-load.ts";
import { compareUsage, sendUsage } from "./usage-load.ts";
import type { World } from "./world.ts";

/** Token requests a second, and charges a second. */
export type Rates = { tokens: number; charges: number };

/** The result of a fault. `problems`: what is wrong, in words. */
export type Round = {
  fault: string;
  secondsWithoutWrites: number;
  repairedAfter: number;
  tokensPerSecond: number;
  chargesPerSecond: number;
  /** the number of token requests by status; 0: no response */
  tokens: Readonly<Record<string, number>>;
  /** the number of requests of payments by status; 0: no response */
  payments: Readonly<Record<string, number>>;
  /** how much there was to check */
  checked: Readonly<Record<string, number>>;
  problems: string[];
};

const secondsBefore = 3;
/** Patroni reports a lost node only after its next check. */
const noticeSeconds = 8;
const secondsAfter = 3;
const completeSeconds = { alone: 120, shared: 480 };
const settleSeconds = 240;
const readsPerSecond = 20;
const statusReadsPerSecond = 2;
/** A client waits for the payer or the processor most of the time. */
const clientsPerCharge = 2;

const publicReads = readTargets.filter(({ path }) => path !== "/readyz");
const statusReads = [{ method: "GET", path: "/status/v1/summary", status: 200 }] as const;

type Load = { pool: MandatePool; run: Run; seed: number; rates: Rates; isShared: boolean };

/** Inflicts the fault. @returns once the cluster is complete again and answers token requests */
const inflict = async ({ installation, merchants }: World, fault: Fault, isShared: boolean): Promise<void> => {
  const seconds = completeSeconds[isShared ? "shared" : "alone"];
  await fault.inflict(installation);
  await sleep(noticeSeconds * 1000);
  await waitUntil(async () => isComplete(await installation.database.listMembers()), seconds);
  // The gap that is measured ends with the load, so the load must last longer than the gap.
  await waitUntil(async () => (await requestToken(merchants[0])).status === 200, seconds);
};

/** Inflicts the fault under load. The load continues until the cluster is complete again. */
const inflictUnderLoad = async (world: World, fault: Fault, { pool, run, seed, rates, isShared }: Load) => {
  const { merchants, baseUrl } = world;
  let isEnding = false;
  const isOver = () => isEnding;
  const endTokens = requestTokens(merchants[0], rates.tokens);
  const endReads = startLoad(baseUrl, readsPerSecond, publicReads);
  const endStatusReads = startLoad(world.statusUrl, statusReadsPerSecond, statusReads);
  const endConsents = giveConsents(world.agent, merchants[0]);
  const endUsage = await sendUsage(baseUrl);
  const clients = Math.ceil(clientsPerCharge * rates.charges);
  const paying = runClients(pool, run, { clients, seed, isOver, awaitTurn: createPace(rates.charges) });
  await sleep(secondsBefore * 1000);
  const startedAt = Date.now();
  const [repair] = await Promise.allSettled([inflict(world, fault, isShared)]);
  const repairedAfter = (Date.now() - startedAt) / 1000;
  if (repair.status === "fulfilled") await sleep(secondsAfter * 1000);
  isEnding = true;
  const [tokens, consents, usage, reads, statusPageReads] = await Promise.all([
    endTokens(),
    endConsents(),
    endUsage(),
    endReads(),
    endStatusReads(),
    paying,
  ]);
  // The load has ended, so it doesn't disturb the next fault.
  if (repair.status === "rejected") throw repair.reason;
  return { tokens, consents, usage, startedAt, repairedAfter, reads: [...reads, ...statusPageReads] };
};

type Loaded = Awaited<ReturnType<typeof inflictUnderLoad>>;

type Limits = { limitSeconds: number; isPartial: boolean | undefined; isShared: boolean; wasBusy: boolean };

/** The problems that the responses to token requests and reads show, in words. */
const responseProblems = ({ tokens, reads }: Loaded, limits: Limits): string[] => {
  const { limitSeconds, isPartial, isShared, wasBusy } = limits;
  const gap = findGap(tokens);
  const seconds = secondsOf(gap);
  const failing = secondsOf(findFailing(tokens));
  const later = tokens.filter(({ status, at }) => status !== 200 && at > gap.to).length;
  // If other programs use the machine, a client may wait too long for its turn.
  const wrong = tokens.filter(
    ({ status, isLate }) => status !== 200 && status !== 503 && !(isLate && wasBusy) && !(isShared && status === 0),
  );
  return [
    ...(seconds > limitSeconds ? [`${seconds} s without writes`] : []),
    // On a busy machine, some writes fail later, because connections are opened slowly.
    ...(failing > limitSeconds && !isPartial && !isShared && !wasBusy
      ? [`${failing} s from the first failed write to the last; ${later} failed after another had succeeded`]
      : []),
    ...wrong.slice(0, 3).map(({ status, failure }) => `a token request was answered with ${failure ?? status}`),
    ...(tokens.some(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter)
      ? ["503 without Retry-After"]
      : []),
    ...reads
      .filter(isLost)
      .slice(0, 3)
      .map((read) => `a read failed: ${JSON.stringify(read)}`),
  ];
};

const listOwn = async ({ dataDirectory }: World["installation"]): Promise<number[]> => {
  const roles = ["web", "worker", "status"] as const;
  return (await Promise.all(roles.map((role) => listRole(dataDirectory, role)))).flat();
};

/** Processes must recover without a restart, except from a fault that ends one. @returns the problem, in words */
const findEnded = (before: readonly number[], after: readonly number[], { endsProcess }: Fault): string[] => {
  const ended = before.filter((pid) => !after.includes(pid));
  return ended.length > (endsProcess ? 1 : 0) ? [`processes ended: ${ended.join(", ")}`] : [];
};

/** Waits until all charges have an outcome and all webhooks have been delivered. */
const settle = async ({ db }: World, { run, seed }: Load): Promise<void> => {
  const settling = { seconds: settleSeconds, isHastened: true };
  await awaitSettled(db, { ...settling, listPending: async () => [] });
  await askAllAgain(run);
  await awaitSettled(db, { ...settling, listPending: () => answerWaiting(run, createRandom(seed, -3)) });
};

/** Above this load average for each core, responses take so long that the machine counts as shared. */
const busyLoad = 2;
const isBusy = (): boolean => (os.loadavg()[0] ?? 0) > busyLoad * os.availableParallelism();

/** If other programs use the machine, the time for which writes may fail is multiplied by this. */
const patienceOfShared = 2;

type Options = {
  rates: Rates;
  /** Other programs use the machine. Writes may fail for longer, and the status page may show slow responses. */
  isShared: boolean;
};

/** At a low rate, there may be no refund. A code whose response was lost can't be exchanged again. */
const sometimesNone = new Set(["refunds", "exchangedCodes"]);

/** @returns broken invariants of both environments, as JSON */
const findBrokenInvariants = async ({ db, production }: World): Promise<string[]> =>
  [await findViolations(db.sql), await findViolations(production.sql)]
    .flat()
    .map((violation) => JSON.stringify(violation));

/** The rates that the load reached, in requests a second outside the gap, and the answers by status. */
const figuresOf = ({ tokens, repairedAfter }: Loaded, run: Run, gap: Gap) => ({
  secondsWithoutWrites: secondsOf(gap),
  repairedAfter,
  tokensPerSecond: Math.round(
    rateOf(
      tokens.map(({ at }) => at),
      gap,
    ),
  ),
  chargesPerSecond: Math.round(10 * rateOf(run.begun, gap)) / 10,
  tokens: countStatuses(tokens),
  payments: Object.fromEntries([...run.complaints.statuses].map(([status, count]) => [String(status), count])),
});

/** Inflicts one fault under load, and checks that nothing was lost or done twice. */
export const runRound = async (world: World, fault: Fault, { rates, isShared }: Options): Promise<Round> => {
  const { installation, db, merchants, baseUrl } = world;
  const seed = Date.now() % 1_000_000;
  const receiver = await startWebhookReceiver();
  world.receivers.push(receiver);
  const run = newRun();
  const pool = await createMandatePool(baseUrl, {
    merchants,
    hookUrl: receiver.url,
    isOver: () => false,
    complaints: run.complaints,
  });
  // At least one mandate is revoked before the fault.
  run.revoked.push(await pool.revoke(createRandom(seed, -2)));
  const load = { pool, run, seed, rates, isShared };
  const processes = await listOwn(installation);
  const loaded = await inflictUnderLoad(world, fault, load);
  const wasBusy = isBusy();
  const unrevoked = await findUnrevoked(run.revoked, { baseUrl, nodeUrls: installation.webUrls.sandbox });
  await settle(world, load);

  const gap = findGap(loaded.tokens);
  const books = await compareBooks(db, merchants, run.orders);
  const deliveries = await compareDeliveries(db, pool, receiver);
  const problems = [
    ...run.complaints.problems,
    ...books.problems,
    ...deliveries.problems,
    ...responseProblems(loaded, {
      limitSeconds: fault.withoutWritesSeconds * (isShared ? patienceOfShared : 1),
      isPartial: fault.isPartial,
      isShared,
      wasBusy,
    }),
    ...findEnded(processes, await listOwn(installation), fault),
    ...unrevoked,
    ...(await compareConsents(db, world.agent, loaded.consents)),
    ...(await compareUsage(db, loaded.usage)),
    ...(await checkStatusPage(world.statusUrl, { fault, gap, from: loaded.startedAt, isShared: isShared || wasBusy })),
    ...(await findBrokenInvariants(world)),
  ];
  const checked = {
    charges: books.charges,
    refunds: books.refunds,
    consents: loaded.consents.acknowledged.length,
    exchangedCodes: loaded.consents.exchanged.length,
    revocations: run.revoked.length,
    usageEvents: loaded.usage.acknowledged.length,
    events: deliveries.events,
    reads: loaded.reads.length,
  };
  const unchecked = Object.entries(checked).filter(([name, count]) => count === 0 && !sometimesNone.has(name));
  problems.push(...unchecked.map(([name]) => `there were no ${name} to check`));
  return { fault: fault.name, ...figuresOf(loaded, run, gap), checked, problems };
};
