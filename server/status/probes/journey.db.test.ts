import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { invariants } from "../../data/invariants/invariants.ts";
import { findMerchants } from "../../data/merchants/merchants.ts";
import { claimEnvironment } from "../../data/platform/environment.ts";
import { setClockOffset } from "../../data/sandbox/sandbox-clock.ts";
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
import { createJourneyCheck } from "./check-journey.ts";
import { openProbeIdentity } from "./probe-identity.ts";
import { NoResponse } from "./visit.ts";

const handlers = new Map(
  [parEndpoint, tokenEndpoint, introspectEndpoint, revokeEndpoint, verifyMandateEndpoint].map((endpoint) => [
    endpoint.path,
    mount(endpoint).POST,
  ]),
);

let deps: TestDeps;
let directory: string;
/** paths, in their order */
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
/** The journey of a status process after its start. */
const start = async (name?: string) =>
  createJourneyCheck({
    name: "sandbox",
    baseUrl: deps.config.baseUrl,
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    identity: await identityOf(name),
    async ask(url, request) {
      const response = await answer(new Request(url, request));
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
    databaseMilliseconds: 60_000,
    timeoutMilliseconds: 60_000,
  });
const grant = async () => (await grantProbeJob.run(deps)) as { granted: boolean };
const waits = { check: "sandbox.journey", outcome: "not_run", detail: "waiting for consent" };
const passes = { check: "sandbox.journey", outcome: "ok", detail: "passes" };
const probe = () => deps.db.prisma.statusProbe.findUniqueOrThrow({ where: { id: 1 } });

describe("the synthetic journey (docs/spec/status.md, Probes)", () => {
  test("requests consent once, gets it from an audited job, and passes", async () => {
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

  test("has a mandate without charges, and is in no figure, directory list or mail", async () => {
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

  test("renews a consent that ends soon; the old one ends with the new one", async () => {
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

  test("requests a new consent after the old one expires, without a failure", async () => {
    const check = await start();
    await claimEnvironment(deps.db, { kind: "sandbox", issuer: deps.config.baseUrl, fingerprint: "f" });
    await deps.db.sqlTransaction((sql) => setClockOffset(sql, 200 * 24 * 3600 * 1000));
    expect(await check()).toEqual(waits);
    await deps.db.sqlTransaction((sql) => setClockOffset(sql, 0));
    await grant();
    expect(await check()).toEqual(passes);
  });

  test("a status process without its keys makes new ones, and the clients get them", async () => {
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

  test("grants once with two concurrent jobs", async () => {
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
  ])("fails on an error of %s and names it", async (faulty, detail) => {
    const check = await start();
    const sound = answer;
    answer = async (request) =>
      new URL(request.url).pathname === faulty ? new Response("{}", { status: 500 }) : sound(request);
    expect(await check()).toEqual({ ...passes, outcome: "failed", detail });
    answer = () => Promise.reject(new NoResponse("no response"));
    expect(await check()).toEqual({ ...passes, outcome: "no_response", detail: "no response" });
  });

  test("fails on an inactive token and on a refused verification", async () => {
    const check = await start();
    const sound = answer;
    const say = (faulty: string, body: object) => async (request: Request) =>
      new URL(request.url).pathname === faulty ? Response.json(body) : sound(request);
    answer = say("/oauth/introspect", { active: false });
    expect((await check()).detail).toBe("Introspection: unexpected body");
    answer = say("/merchant_test/verify-mandate", { valid: false, mandate_id: null });
    expect((await check()).detail).toBe("Verification: unexpected body");
  });

  test("uses the DPoP nonce of the server (RFC 9449 §8)", async () => {
    provideDeps({ ...deps, config: { ...deps.config, dpopNonce: "required" } });
    const check = await start();
    expect(await check()).toEqual(passes);
    expect(requests.filter((one) => one === "/oauth/token")).toHaveLength(2);
  });

  test("uses the last consent while the database is away", async () => {
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
