import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { applyCatalogue } from "../../billing/catalogue/apply-catalogue.ts";
import { invariants } from "../../data/invariants/invariants.ts";
import { findMerchants } from "../../data/merchants/merchants.ts";
import { claimEnvironment } from "../../data/platform/environment.ts";
import { setClockOffset } from "../../data/sandbox/sandbox-clock.ts";
import { estimateEndpoint } from "../../endpoints/billing/estimate.ts";
import { listPlansEndpoint } from "../../endpoints/billing/plans.ts";
import { readUsageEndpoint } from "../../endpoints/billing/usage.ts";
import { verifyMandateEndpoint } from "../../endpoints/charges/verify-mandate.ts";
import { introspectEndpoint } from "../../endpoints/oauth/introspect.ts";
import { parEndpoint } from "../../endpoints/oauth/par.ts";
import { revokeEndpoint } from "../../endpoints/oauth/revoke.ts";
import { tokenEndpoint } from "../../endpoints/oauth/token.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { grantProbeJob } from "../../jobs/status/grant-probe.ts";
import { createSealer } from "../../kernel/crypto/seal.ts";
import { openSealedFile } from "../board/sealed-file.ts";
import { createBillingCheck } from "./check-billing.ts";
import { createGrantFinder, createJourneyCheck } from "./check-journey.ts";
import { openProbeIdentity } from "./probe-identity.ts";
import { NoResponse, type VisitRequest } from "./visit.ts";

const posts = [
  parEndpoint,
  tokenEndpoint,
  introspectEndpoint,
  revokeEndpoint,
  verifyMandateEndpoint,
  estimateEndpoint,
] as const;
const handlers = new Map([
  ...posts.map((endpoint) => [endpoint.path, mount(endpoint).POST] as const),
  ...[listPlansEndpoint, readUsageEndpoint].map((endpoint) => [endpoint.path, mount(endpoint).GET] as const),
]);

let deps: TestDeps;
let directory: string;
/** the paths of the requests, in order */
let requests: string[];
let answer: (request: Request) => Promise<Response>;

beforeAll(async () => {
  deps = await createTestDeps();
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-probe-"));
});
afterAll(async () => {
  await deps?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  provideDeps(deps);
  requests = [];
  answer = async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    return (await handlers.get(pathname)?.(request)) ?? new Response(null, { status: 404 });
  };
});

const identityOf = (name = "probe-sandbox") =>
  openProbeIdentity(
    openSealedFile({
      directory,
      name,
      context: "probe:1",
      log: deps.log,
      sealer: createSealer(deps.config.masterKey, "status_probe"),
    }),
  );
/** The journey check of a status process that has just started. */
const start = async (name?: string) => createJourneyCheck({ name: "sandbox", ...(await probeOptions(name)) });
/** The options that the journey and the billing check share. */
const probeOptions = async (file?: string) => {
  const [identity, { clock, db, log, config }] = [await identityOf(file), deps];
  return {
    baseUrl: config.baseUrl,
    identity,
    clock,
    findGrant: createGrantFinder({ name: "sandbox", db, identity, clock, log, databaseMilliseconds: 60_000 }),
    async ask(url: string, request?: VisitRequest) {
      const response = await answer(new Request(url, request));
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
    timeoutMilliseconds: 60_000,
  };
};
const grant = async () => (await grantProbeJob.run(deps)) as { granted: boolean };
const waits = { check: "sandbox.journey", outcome: "not_run", detail: "waiting for consent" };
const passes = { check: "sandbox.journey", outcome: "ok", detail: "passes" };
const probe = () => deps.db.prisma.statusProbe.findUniqueOrThrow({ where: { id: 1 } });

describe("the synthetic journey (docs/spec/status.md, Probes)", () => {
  test("requests consent once, gets the consent from an audited job, and passes", async () => {
    const check = await start();
    expect(await check()).toEqual(waits);
    expect(await check()).toEqual(waits);
    expect(requests).toEqual([]);
    expect(await grant()).toEqual({ granted: true });
    expect(await grant()).toEqual({ granted: false });
    expect(await check()).toEqual(passes);
    expect(requests).toEqual([
      "/oauth/par",
      "/oauth/token",
      "/oauth/introspect",
      "/oauth/token",
      "/merchant_test/verify-mandate",
      "/oauth/revoke",
    ]);
    const { entries } = await searchAudit(deps, { action: "probe.consented" });
    expect(entries).toMatchObject([
      { actorKind: "system", actorId: "grant-probe", subjectId: (await probe()).mandateId },
    ]);
  });

  test("revokes only its access token: later runs and processes use the same consent", async () => {
    const { grantId } = await probe();
    const check = await start();
    expect([await check(), await check()]).toEqual([passes, passes]);
    // The merchant's token is cached for its lifetime.
    expect(requests.filter((one) => one === "/oauth/token")).toHaveLength(3);
    expect((await probe()).grantId).toBe(grantId);
    expect(await grant()).toEqual({ granted: false });
  });

  test("marks its rows as a probe's, charges nothing, sends no mail, and its merchant isn't in the list of merchants", async () => {
    const { mandateId, payerId, merchantId, agentClientId, merchantClientId } = await probe();
    const mandate = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId ?? "" } });
    expect(mandate).toMatchObject({ actions: ["verify"], payeeMerchantIds: [merchantId], maxAmountPerPayment: 1n });
    const { prisma } = deps.db;
    expect(await prisma.account.findMany({ where: { isProbe: true } })).toMatchObject([{ id: payerId }]);
    expect(await prisma.merchant.findMany({ where: { isProbe: true } })).toMatchObject([{ id: merchantId }]);
    const clients = await prisma.client.findMany({ where: { isProbe: true } });
    expect(new Set(clients.map(({ id }) => id))).toEqual(new Set([agentClientId, merchantClientId]));
    expect((await findMerchants(deps.db, 50)).map(({ id }) => id)).not.toContain(merchantId);
    expect(await prisma.mail.count()).toBe(0);
    expect(await prisma.charge.count()).toBe(0);
    for (const { name, find } of invariants) expect([name, await find(deps.db.sql)]).toEqual([name, []]);
  });

  test("stores only public keys and hashes in the database", async () => {
    const { agentKey, merchantKey, grantedHash } = await probe();
    expect([agentKey, merchantKey].flatMap((key) => Object.keys(key as object))).not.toContain("d");
    const secret = (await identityOf()).findSecret(grantedHash ?? "");
    expect(secret).toMatch(/^[\w-]{52}$/);
    expect(grantedHash).not.toContain(secret?.slice(0, 43));
  });

  test("renews a consent that expires soon, and ends the old one when the new one is granted", async () => {
    const check = await start();
    const before = await probe();
    const now = deps.clock.now();
    deps.clock.advance(61 * 24 * 3600);
    expect(await check()).toEqual(passes);
    expect(await grant()).toEqual({ granted: true });
    const after = await probe();
    expect(after).toMatchObject({ payerId: before.payerId, merchantId: before.merchantId });
    expect(after.mandateId).not.toBe(before.mandateId);
    const old = await deps.db.prisma.grant.findUniqueOrThrow({ where: { id: before.grantId ?? "" } });
    expect(old.endedAt).not.toBeNull();
    expect(await check()).toEqual(passes);
    deps.clock.set(now);
  });

  test("requests a new consent after the old one expires, and reports no failure meanwhile", async () => {
    const check = await start();
    await claimEnvironment(deps.db, { kind: "sandbox", issuer: deps.config.baseUrl, fingerprint: "f" });
    await deps.db.sqlTransaction((sql) => setClockOffset(sql, 200 * 24 * 3600 * 1000));
    expect(await check()).toEqual(waits);
    await deps.db.sqlTransaction((sql) => setClockOffset(sql, 0));
    await grant();
    expect(await check()).toEqual(passes);
  });

  test("a status process that lost its keys makes new keys for the same clients", async () => {
    const { agentClientId } = await probe();
    const check = await start("probe-other");
    expect(await check()).toEqual(waits);
    await grant();
    expect(await check()).toEqual(passes);
    expect((await probe()).agentClientId).toBe(agentClientId);
    // The previous process's keys are no longer valid, so it requests consent again.
    expect(await (await start())()).toEqual(waits);
    await grant();
    expect(await (await start())()).toEqual(passes);
  });

  test("three concurrent jobs grant the consent once", async () => {
    const check = await start();
    await deps.db.prisma.statusProbe.delete({ where: { id: 1 } });
    expect(await check()).toEqual(waits);
    const granted = (await Promise.all([grant(), grant(), grant()])).filter((one) => one.granted);
    expect(granted).toHaveLength(1);
    expect(await check()).toEqual(passes);
  });

  test.each([
    ["/oauth/par", "Pushed request: HTTP 500"],
    ["/oauth/token", "Refresh: HTTP 500"],
    ["/oauth/introspect", "Introspection: HTTP 500"],
    ["/merchant_test/verify-mandate", "Verification: HTTP 500"],
    ["/oauth/revoke", "Revocation: HTTP 500"],
  ])("fails on an error of %s and names the step", async (failingPath, detail) => {
    const check = await start();
    const answerNormally = answer;
    answer = async (request) =>
      new URL(request.url).pathname === failingPath ? new Response("{}", { status: 500 }) : answerNormally(request);
    expect(await check()).toEqual({ ...passes, outcome: "failed", detail });
    answer = () => Promise.reject(new NoResponse("no response"));
    expect(await check()).toEqual({ ...passes, outcome: "no_response", detail: "no response" });
  });

  test("fails on an inactive token and on a refused verification", async () => {
    const check = await start();
    const answerNormally = answer;
    const respondWith = (failingPath: string, body: object) => async (request: Request) =>
      new URL(request.url).pathname === failingPath ? Response.json(body) : answerNormally(request);
    answer = respondWith("/oauth/introspect", { active: false });
    expect((await check()).detail).toBe("Introspection: unexpected body");
    answer = respondWith("/merchant_test/verify-mandate", { valid: false, mandate_id: null });
    expect((await check()).detail).toBe("Verification: unexpected body");
  });

  test("uses the DPoP nonce of the server (RFC 9449 §8)", async () => {
    provideDeps({ ...deps, config: { ...deps.config, dpopNonce: "required" } });
    const check = await start();
    expect(await check()).toEqual(passes);
    expect(requests.filter((one) => one === "/oauth/token")).toHaveLength(2);
  });

  test("uses the last consent while the database is unavailable", async () => {
    const check = await start();
    expect(await check()).toEqual(passes);
    const { sql } = deps.db;
    Object.assign(deps.db, { sql: { query: () => Promise.reject(new Error("ECONNREFUSED")) } });
    answer = async () => new Response("{}", { status: 503 });
    const found = await check();
    Object.assign(deps.db, { sql });
    expect(found).toMatchObject({ outcome: "failed", detail: "Pushed request: HTTP 503" });
  });
});

describe("the billing check (docs/spec/status.md, Probes)", () => {
  const path = "/billing/estimate";
  const plan = (id: string, terms: string) =>
    `  ${id}: {name: ${id}, effective_from: 2026-01-01, interval: month, currencies: {EUR: ${terms}}}\n`;
  const check = async () => (await createBillingCheck(await probeOptions()))();
  const sent: Record<string, unknown>[] = [];
  beforeEach(() => {
    sent.length = 0;
    const answerNormally = answer;
    answer = async (request) => {
      if (new URL(request.url).pathname === path) sent.push(JSON.parse(await request.clone().text()));
      return answerNormally(request);
    };
  });

  test("without a public plan, the estimate of an unknown plan is refused, and usage is read with a token", async () => {
    await grant();
    expect(await check()).toEqual({ outcome: "ok", detail: "passes" });
    expect(requests).toEqual(["/billing/plans", path, "/oauth/token", "/billing/usage"]);
  });

  test("an estimate for a public plan must have the total that follows from the plan's prices", async () => {
    const text = `catalogue: 1\nplans:\n${plan("small", "{flat: 900}")}${plan("large", "{flat: 4900, minimum: 10000}")}${plan(
      "odd",
      '{flat: 99999, prices: {tokens_issued: {model: graduated, flat_at_zero: true, tiers: [{unit: "1", flat: 5}]}}}',
    )}`;
    const { clock } = deps;
    clock.set(new Date("2026-01-01T00:00:00Z"));
    const applied = await applyCatalogue(deps, {
      text,
      isDryRun: false,
      actor: { kind: "system", id: "t" },
      requestId: "r",
    });
    expect(applied.outcome).toBe("changed");
    await grant();
    expect(await check()).toEqual({ outcome: "ok", detail: "passes" });
    expect(sent).toEqual([{ plan: "large", version: 1, currency: "EUR", usage: {} }]);
    const answerNormally = answer;
    answer = async (request) =>
      new URL(request.url).pathname === path ? Response.json({ invoice: { total: 9_999 } }) : answerNormally(request);
    expect(await check()).toEqual({ outcome: "failed", detail: "Estimate: unexpected body" });
  });

  test.each([
    ["/billing/plans", "Plans: HTTP 500"],
    [path, "Estimate: HTTP 500"],
    ["/oauth/token", "Merchant token: HTTP 500"],
    ["/billing/usage", "Usage: HTTP 500"],
  ])("fails on an error of %s and names the step", async (failingPath, detail) => {
    await grant();
    const answerNormally = answer;
    answer = async (request) =>
      new URL(request.url).pathname === failingPath ? new Response("{}", { status: 500 }) : answerNormally(request);
    expect(await check()).toEqual({ outcome: "failed", detail });
    answer = async () => new Response("{}", { status: 404 });
    expect((await check()).outcome).toBe("not_found");
    answer = () => Promise.reject(new NoResponse("no response"));
    expect((await check()).outcome).toBe("no_response");
  });
});
