import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestInstance, type TestInstance } from "#server/cli/checks/test-instance.ts";
import { connectDatabase } from "#server/data/client.ts";
import { isDomainError } from "#server/kernel/errors.ts";
import { newId } from "#server/kernel/ids.ts";
import { systemClock } from "#server/kernel/time/clock.ts";
import { resolveIncident } from "#server/status/incidents/resolve-incident.ts";
import { atomFindings, rssFindings } from "../support/answers/feed-validator.ts";
import { statusPageAt } from "../support/answers/status-page.ts";
import { postForm, send, textOf } from "../support/answers/wire.ts";
import { command } from "../support/command.ts";
import { databaseUrlOf, type EnvironmentName } from "../support/instance.ts";
import { forgetSessions } from "../support/oauth/consent-driver.ts";
import * as flow from "../support/oauth/mandate-flow.ts";
import { assertionType, makeKey, signAssertion } from "../support/oauth/oauth-client.ts";
import { postAs } from "../support/oauth/parties.ts";
import { ownService } from "../support/own-service.ts";
import {
  findPostmaster,
  killOutright,
  listProcesses,
  listRole,
  type Role,
  signalIfRunning,
} from "../support/processes.ts";
import { waitUntil } from "../support/wait-until.ts";
import { startSubscribers } from "./subscribers.ts";

/**
 * docs/runbooks/incident-drill.md on the whole service: each part is really stopped. The short form runs with the other
 * tests; DRILL_PROBE_SECONDS=30 measures with the default interval.
 */
const probeSeconds = Number(process.env["DRILL_PROBE_SECONDS"] ?? 1);
const isLong = probeSeconds >= 10;
/**
 * The time for eight probe runs without responses, and for a restart of the service. On a slow or busy machine, a
 * restart takes minutes.
 */
const patienceSeconds = 240 + 8 * probeSeconds;
/** Seconds until a notice is delivered after two failed attempts (server/status/rules/notices.ts). */
const noticeSeconds = patienceSeconds + 60;
const testMilliseconds = 5 * patienceSeconds * 1000;
/** Time without probes is a gap if it is longer than this (docs/adr/037-status-probes.md). */
const gapSeconds = 2 * probeSeconds + 15;
/** The maximum duration of a run of the probes. */
const runMilliseconds = 15_000;

const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-drill-"));
const subscribers = await startSubscribers();
const service = ownService({
  LOG_LEVEL: "warn",
  SANDBOX_RESET: "off",
  OUTBOUND_LOOPBACK: "1",
  SMTP_URL: subscribers.smtpUrl,
  STATUS_PROBE_SECONDS: String(probeSeconds),
  STATUS_INCIDENTS: "public",
});
let statusUrl: string;
let page: ReturnType<typeof statusPageAt>;
/** functions that end the faults of a drill */
const held: (() => Promise<void> | void)[] = [];
/** the service restored from a backup */
let restored: TestInstance | null = null;

beforeAll(async () => {
  Object.assign(process.env, service.variables);
  statusUrl = service.variables["E2E_STATUS_URL"] ?? "";
  page = statusPageAt(statusUrl);
  await page.waitUntilOperational(patienceSeconds);
  await waitUntil(async () => (await endIncidents()) === 0, patienceSeconds);
  await subscribers.subscribe(statusUrl, patienceSeconds);
}, testMilliseconds);
afterEach(resumeHeld);
afterAll(async () => {
  await restored?.stop();
  subscribers.close();
  await rm(directory, { recursive: true, force: true });
});

/**
 * A slow start may have opened an incident. An outage soon after the start would be added to this incident, so an
 * operator resolves it. On a busy machine, the ten good runs that would resolve it may take too long.
 * @returns how many incidents there were.
 */
async function endIncidents(): Promise<number> {
  const incidents = await page.incidents();
  const db = connectDatabase(databaseUrlOf("production"), 1);
  try {
    for (const { id } of incidents) {
      const words = {
        updateId: newId("upd"),
        text: "The service started slowly.",
        actor: { kind: "operator", id: "usr_drill" },
      } as const;
      const input = { ...words, incidentId: id, requestId: "drill" };
      await resolveIncident({ db, clock: systemClock }, input).catch((error) => {
        // The page shows an incident as soon as it is in the journal, so it may not be in the database yet.
        const isNone = isDomainError(error) && ["incident_resolved", "incident_not_found"].includes(error.code);
        if (!isNone) throw error;
      });
    }
    return incidents.length;
  } finally {
    await db.close();
  }
}

async function resumeHeld(): Promise<void> {
  for (const letGo of held.splice(0)) await letGo();
}

/** Simulates a hanging machine: connections are accepted, nothing responds, and nothing is restarted. */
const suspendProcesses = (pids: readonly number[]): void => {
  held.push(() => {
    for (const pid of pids) signalIfRunning(pid, "SIGCONT");
  });
  for (const pid of pids) signalIfRunning(pid, "SIGSTOP");
};

/** Kills the processes whenever they are restarted, so that nothing listens. */
const killContinuously = async (list: () => Promise<number[]>): Promise<void> => {
  let isHeld = true;
  const end = async () => (await list()).forEach(killOutright);
  await end();
  const ending = (async () => {
    for (; isHeld; await sleep(50)) await end();
  })();
  held.push(() => {
    isHeld = false;
    return ending;
  });
};

const listService = async (environment: EnvironmentName): Promise<number[]> => {
  const roles: Role[] = ["web", "worker", "simulator"];
  const { dataDirectory } = service.instance;
  return (await Promise.all(roles.map((role) => listRole(dataDirectory, role, environment)))).flat();
};

/** The postmaster and its backends: connections stay open without a response. */
async function listPostgres(): Promise<number[]> {
  const postmaster = await findPostmaster(service.instance.dataDirectory);
  const backends = (await listProcesses()).filter(({ parent }) => parent === postmaster).map(({ pid }) => pid);
  return [postmaster, ...backends];
}

/** In the long form, the processes hang, because a hang takes longest to detect. In the short form, they are killed. */
const takeDown = async (environment: EnvironmentName): Promise<void> =>
  isLong ? suspendProcesses(await listService(environment)) : killContinuously(() => listService(environment));

/** Sends requests until the returned function is called. That function returns the statuses. */
const askMeanwhile = (url: string): (() => Promise<Set<number>>) => {
  const statuses = new Set<number>();
  let isOver = false;
  const asking = (async () => {
    for (; !isOver; await sleep(200)) statuses.add((await send(url)).status);
  })();
  return async () => {
    isOver = true;
    await asking;
    return statuses;
  };
};

/** The authorization server's uptime and budget, both after the same probe run. A run may end between two responses. */
const readFigures = async () => {
  let figures = { down_ms: 0, unmeasured_ms: 0, used_ms: 0 };
  await waitUntil(async () => {
    const before = await page.sums("authorization_server");
    const used_ms = await page.budgetUsed("authorization_server");
    figures = { ...(await page.sums("authorization_server")), used_ms };
    return before.down_ms === figures.down_ms;
  }, patienceSeconds);
  return figures;
};

/** Changes of the authorization server's state since that time, by probes or cascades. */
const readChanges = async (since: Date) => {
  const db = connectDatabase(databaseUrlOf("production"), 1);
  try {
    return await db.prisma.componentChange.findMany({
      where: { component: "authorization_server", source: { in: ["probe", "cascade"] }, at: { gte: since } },
      orderBy: [{ at: "asc" }, { id: "asc" }],
    });
  } finally {
    await db.close();
  }
};

describe("the status page during an outage of one part (docs/spec/status.md, Components and states)", {
  timeout: testMilliseconds,
}, () => {
  test("an outage of production is shown within 90 s, affects the sandbox, opens an incident, notifies subscribers and counts as downtime", async () => {
    // A slow start may count as an outage, which must end before the figures are read.
    await page.waitUntilOperational(patienceSeconds);
    const atFirst = await readFigures();
    const stoppedAt = Date.now();
    await takeDown("production");
    await page.until("authorization_server", "major_outage", patienceSeconds);
    const seenAt = Date.now();
    const seconds = (seenAt - stoppedAt) / 1000;
    console.log(`production was shown as down ${seconds} s after it had stopped, probed every ${probeSeconds} s`);
    expect(seconds).toBeLessThan(90);
    // On a busy machine the sandbox itself may be late for one run.
    await waitUntil(async () => {
      const { state, affected_by: causes } = await page.find("sandbox");
      return state === "degraded" && causes.join() === "Authorization server";
    }, patienceSeconds);

    // A probe run may have been in progress at the stop, so either component may be found down first.
    await page.until("wallet_portal", "major_outage", patienceSeconds);
    const isIn = ({ components }: { components: { id: string }[] }) =>
      ["authorization_server", "wallet_portal"].every((id) => components.some((component) => component.id === id));
    await waitUntil(async () => (await page.incidents()).some(isIn), patienceSeconds);
    const [{ title, state } = { title: "", state: "" }, ...others] = await page.incidents();
    expect({ state, others }).toEqual({ state: "investigating", others: [] });
    await waitUntil(async () => {
      const html = await page.html();
      return [title, "Affected by an outage in production: Authorization server"].every((text) => html.includes(text));
    }, patienceSeconds);
    const isDelivered = async () => Object.values(subscribers.receivedAbout(title)).every(Boolean);
    await waitUntil(isDelivered, noticeSeconds);
    const [rss, atom] = [await page.feed("rss"), await page.feed("atom")];
    for (const feed of [rss, atom]) expect(feed).toContain(title);
    expect(rssFindings(rss, `${statusUrl}/status/feed.rss`)).toEqual([]);
    expect(atomFindings(atom, `${statusUrl}/status/feed.atom`)).toEqual([]);

    const lastSeenOutAt = Date.now();
    await resumeHeld();
    await page.waitUntilOperational(patienceSeconds);
    const atLast = await readFigures();
    const down = atLast.down_ms - atFirst.down_ms;
    const unmeasured = atLast.unmeasured_ms - atFirst.unmeasured_ms;
    expect(atLast.used_ms - atFirst.used_ms).toBe(down);
    // The time of the outage never counts as up. It counts as unknown until the run in progress ends, or if the status
    // process logged that it missed responses.
    expect(down).toBeGreaterThan(0);
    expect(down + unmeasured).toBeGreaterThanOrEqual(lastSeenOutAt - seenAt);
    const hasMissedResponses = /event loop was delayed|was paused|No probe ran|probe run failed/;
    if (!hasMissedResponses.test(service.instance.output())) {
      const sums = () => page.sums("authorization_server");
      await waitUntil(async () => (await sums()).unmeasured_ms === atFirst.unmeasured_ms, patienceSeconds);
    }
    // Downtime counts from the start of a run, and a run in progress at the stop started earlier.
    expect(down).toBeLessThanOrEqual(Date.now() - stoppedAt + runMilliseconds);
    // The incident resolves after ten good runs in a row. On a busy machine, this can take minutes, so the short form
    // resolves it itself.
    if (!isLong) await waitUntil(async () => (await endIncidents()) === 0, patienceSeconds);
    await waitUntil(
      async () => (await page.incidents()).every(({ state }) => state !== "investigating"),
      patienceSeconds,
    );
  });

  test("an outage of only the sandbox doesn't affect production", async () => {
    await page.waitUntilOperational(patienceSeconds);
    const since = new Date();
    const sums = await page.sums("authorization_server");
    await takeDown("sandbox");
    const asking = askMeanwhile(`${service.productionUrl}/.well-known/jwks.json`);
    await page.until("sandbox", "major_outage", patienceSeconds);
    await page.until("authorization_server", "operational", patienceSeconds);
    expect(await page.find("authorization_server")).toMatchObject({ affected_by: [] });
    await resumeHeld();
    await page.waitUntilOperational(patienceSeconds);
    expect(await asking()).toEqual(new Set([200]));
    const changes = await readChanges(since);
    // While the sandbox restarts, the machine may be too busy to respond. Only changes with this cause are allowed.
    const isLoadRelated = ({ state, reason }: (typeof changes)[number]) =>
      state === "operational" ||
      /no response within|no connection within|timed out|was missed|No probe ran/.test(reason);
    expect(changes.filter((change) => change.source === "cascade" || !isLoadRelated(change))).toEqual([]);
    if (changes.length === 0) expect((await page.sums("authorization_server")).down_ms).toBe(sums.down_ms);
  });

  const journalFiles = async () =>
    (await readdir(path.join(service.instance.dataDirectory, "status"))).filter((name) => name.startsWith("journal-"));

  test("without PostgreSQL, the page works even after a restart of the status process, and the findings are stored later", async () => {
    await page.waitUntilOperational(patienceSeconds);
    // A finding is dated by the start of its run, and a run that has already started may report the outage.
    const since = new Date(Date.now() - runMilliseconds);
    const days = await page.days();
    // The suspended process would restart PostgreSQL.
    suspendProcesses(await listRole(service.instance.dataDirectory, "postgres"));
    killOutright(await findPostmaster(service.instance.dataDirectory));
    await page.until("authorization_server", "major_outage", patienceSeconds);
    // A new status process has only the snapshot and the journal.
    for (const pid of await listRole(service.instance.dataDirectory, "status")) killOutright(pid);
    await waitUntil(async () => !(await page.find("sandbox").catch(() => null)), patienceSeconds);
    await page.until("authorization_server", "major_outage", patienceSeconds);
    expect(await page.days()).toEqual(days);
    expect(await page.html()).toContain("Major outage");
    expect(await journalFiles()).not.toEqual([]);
    await resumeHeld();
    await page.waitUntilOperational(patienceSeconds);
    await waitUntil(async () => {
      // Ignores the gap before the new process has started.
      const states = (await readChanges(since)).map(({ state }) => state).filter((state) => state !== "unknown");
      // The synthetic journey may fail first, with a partial outage.
      return states.includes("major_outage") && states.at(-1) === "operational";
    }, patienceSeconds);
  });

  test("the time without probes is unknown, neither up nor down", async () => {
    await page.waitUntilOperational(patienceSeconds);
    const sums = await page.sums("authorization_server");
    suspendProcesses(await listRole(service.instance.dataDirectory, "status"));
    await sleep((gapSeconds + 3) * 1000);
    await resumeHeld();
    const unmeasured = async () => (await page.sums("authorization_server")).unmeasured_ms - sums.unmeasured_ms;
    await waitUntil(async () => (await unmeasured()) >= gapSeconds * 1000, patienceSeconds);
    expect((await page.sums("authorization_server")).down_ms).toBe(sums.down_ms);
    await page.waitUntilOperational(patienceSeconds);
  });

  /** Each part gets SIGSTOP: the kernel accepts connections, but nothing responds, and nothing is restarted. */
  const hangingParts: [name: string, list: () => Promise<number[]>, components: string[]][] = [
    [
      "the process that accepts connections",
      async () => [service.instance.pid],
      ["authorization_server", "wallet_portal", "sandbox"],
    ],
    [
      "production's web processes",
      () => listRole(service.instance.dataDirectory, "web", "production"),
      ["authorization_server", "wallet_portal"],
    ],
    ["the sandbox's web processes", () => listRole(service.instance.dataDirectory, "web", "sandbox"), ["sandbox"]],
    ["PostgreSQL with its backends", listPostgres, ["authorization_server", "wallet_portal", "sandbox"]],
  ];

  test("when PostgreSQL hangs, callers get 503 with Retry-After, and no request waits indefinitely", async () => {
    await page.waitUntilOperational(patienceSeconds);
    const key = await makeKey();
    const askForToken = async () => {
      const client_assertion = await signAssertion({ id: newId("cl_live"), ...key }, service.productionUrl);
      const form = { grant_type: "client_credentials", client_assertion_type: assertionType, client_assertion };
      return (await postForm(`${service.productionUrl}/oauth/token`, form)).status;
    };
    expect(await askForToken()).toBe(401);
    suspendProcesses(await listPostgres());
    // There are more requests than connections in the pool, and all of these connections hang.
    const statuses = await Promise.all(Array.from({ length: 20 }, askForToken));
    expect(new Set(statuses)).toEqual(new Set([503]));
    await resumeHeld();
    await waitUntil(async () => (await askForToken()) === 401, patienceSeconds);
    await page.waitUntilOperational(patienceSeconds);
  });

  test.each(hangingParts)("the page shows a major outage when the suspended part is: %s", async (...drill) => {
    const [, list, components] = drill;
    await page.waitUntilOperational(patienceSeconds);
    suspendProcesses(await list());
    for (const component of components) await page.until(component, "major_outage", patienceSeconds);
    await resumeHeld();
    await page.waitUntilOperational(patienceSeconds);
  });
});

const complaintOf = (work: Promise<string>): Promise<string> =>
  work.then(
    () => "",
    (error: { stderr: string }) => error.stderr,
  );
const readKeys = async () => (await send(`${service.sandboxUrl}/.well-known/jwks.json`)).text;

test("after the loss of everything except the keys, the service works with a restored backup, and all invariants hold", {
  timeout: testMilliseconds,
}, async () => {
  await page.waitUntilOperational(patienceSeconds);
  const { instance } = service;
  const mandate = await flow.makeChargeableMandate(service.sandboxUrl, { max_total_amount: 3_000 });
  const charged = await flow.charge(mandate, { amount: 2_000 }, "before-the-backup");
  expect(charged.status, charged.text).toBe(201);
  const keys = await readKeys();
  const file = path.join(directory, "backup");

  // The backup is made while the service runs, with concurrent writes.
  const busy = Promise.all(Array.from({ length: 5 }, () => flow.makeChargeableMandate(service.sandboxUrl)));
  expect(await command(instance.environment, "backup", file)).toMatch(/production: \d+ rows\n.*sandbox: \d+ rows/);
  await busy;
  expect(await complaintOf(command(instance.environment, "backup", file))).toContain("the file already exists");
  expect(await complaintOf(command(instance.environment, "restore", file))).toContain("already running");

  await instance.stop();
  expect(await complaintOf(command(instance.environment, "restore", file))).toContain("is not empty");
  const secrets = path.join(directory, "secrets.json");
  await copyFile(path.join(instance.dataDirectory, "secrets.json"), secrets);
  await rm(instance.dataDirectory, { recursive: true, force: true });
  await mkdir(instance.dataDirectory);
  await copyFile(secrets, path.join(instance.dataDirectory, "secrets.json"));
  expect(await command(instance.environment, "restore", file)).toMatch(/sandbox: \d+ rows, as of \d{4}-/);

  restored = await startTestInstance(instance.environment);
  expect(restored.output()).toContain("production: not empty; sandbox: not empty");
  expect(await command(instance.environment, "check-invariants")).toMatch(/sandbox: \d+ invariants hold$/);
  expect(await readKeys()).toBe(keys);
  forgetSessions();
  const refresh = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
  const renewed = await postAs(mandate.agent, "/oauth/token", { form: refresh, dpop: mandate.dpop });
  expect(renewed.status, renewed.text).toBe(200);
  // The agent's token expires after five minutes, and this test may take that long. The merchant's token is from before
  // the loss.
  const agent = { ...mandate, accessToken: textOf(renewed, "access_token") };
  const charges = await flow.agentGet(agent, `/oauth/mandates/${mandate.mandateId}/charges`);
  expect(charges.status, charges.text).toBe(200);
  // The budget is as before, the idempotent response is repeated, and refunds work.
  expect((await flow.charge(mandate, { amount: 2_000 })).text).toContain("total_limit_exceeded");
  const again = await flow.charge(mandate, { amount: 2_000 }, "before-the-backup");
  expect({ status: again.status, id: again.json?.["id"] }).toEqual({ status: 201, id: charged.json?.["id"] });
  const refund = await flow.merchantPost(mandate, `/merchant_test/charges/${charged.json?.["id"]}/refunds`, {
    body: { amount: 500 },
    headers: { "idempotency-key": "after-the-restore" },
  });
  expect(refund.status, refund.text).toBe(201);
  expect((await flow.charge(await flow.makeChargeableMandate(service.sandboxUrl))).status).toBe(201);
});
