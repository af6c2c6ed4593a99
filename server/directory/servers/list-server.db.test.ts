import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { getEntry } from "../../operators/entries/get-entry.ts";
import { setEntrySuspension } from "../../operators/entries/set-entry-suspension.ts";
import { createOutbound } from "../../platform/outbound/outbound.ts";
import { findPublicEntity } from "../federation/find-public-entity.ts";
import { checkHealth } from "../health/check-health.ts";
import { getMetadata } from "../health/find-health.ts";
import { listKeyHolders, listParticipantKeys } from "../keys/find-keys.ts";
import { getParticipant, listParticipantHistory } from "../participants/find-participant.ts";
import { listParticipants } from "../participants/list-participants.ts";
import { findEndpoints } from "./find-endpoints.ts";
import { listServer } from "./list-server.ts";
import { withdrawServer } from "./withdraw-server.ts";

const published = new Map<string, object>();
let host: Server;
let deps: TestDeps;

/**
 * Applies the real guards, then connects to the test's server. Hosts below private.example resolve to a private address.
 * A request to an IP address isn't sent to the test's server, because the real guards refuse it.
 */
const outboundTo = (origin: string) => {
  const guarded = createOutbound({ allowLoopback: false, resolve: async () => ["10.0.0.1"] });
  const local = createOutbound({ allowLoopback: true });
  return {
    urlProblem: guarded.urlProblem,
    request: (request: Parameters<typeof local.request>[0]) =>
      /private\.example$|^[\d.]+$|^\[/.test(new URL(request.url).hostname) || guarded.urlProblem(request.url) !== null
        ? guarded.request(request)
        : local.request({ ...request, url: request.url.replace("https:/", origin) }),
  };
};

beforeAll(async () => {
  host = createServer((request, response) => {
    const answer = published.get(`https:/${request.url}`);
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  deps = await createTestDeps({ outbound: outboundTo(`http://127.0.0.1:${(host.address() as AddressInfo).port}`) });
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await deps.close();
});
beforeEach(() => published.clear());

const by = { actor: { kind: "operator", id: "acc_operator" } as const, requestId: "req_test" };
const reason = "A partner of ours";
let made = 0;

const publish = async (issuer: string, members: object = {}) => {
  const { origin, pathname } = new URL(issuer);
  const uri = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, "")}`;
  const jwks = { keys: [(await makeKey()).publicJwk] };
  const document = {
    issuer,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    grant_types_supported: ["authorization_code"],
    pushed_authorization_request_endpoint: `${origin}/par`,
    dpop_signing_alg_values_supported: ["ES256"],
    authorization_details_types_supported: ["payment_initiation"],
    ...members,
  };
  published.set(uri, document);
  published.set(`${origin}/jwks`, jwks);
  return { issuer, uri, document, jwks, jwksUri: `${origin}/jwks` };
};
const newIssuer = () => `https://auth-${++made}.example`;
type Names = Partial<{ displayName: string; legalName: string; environment: "production" | "sandbox" }>;
const list = (issuer: string, names: Names = {}, on = deps) =>
  listServer(on, {
    issuer,
    displayName: "Ace Bank",
    legalName: "Ace Bank plc",
    environment: "sandbox",
    reason,
    ...names,
    ...by,
  });
const withdraw = (participantId: string, on = deps) =>
  withdrawServer(on, { participantId, reason: "It closes", ...by });
const suspend = (participantId: string, isSuspended: boolean) =>
  setEntrySuspension(deps, { participantId, isSuspended, reason: "It misbehaves", ...by });
const read = (id: string) => getParticipant(deps, { id, server: () => serverEntry(deps) });
const versionsOf = async (id: string) =>
  (await listParticipantHistory(deps, { id, before: null, limit: 20 })).versions
    .map(({ change, changedBy }) => `${change} by ${changedBy}`)
    .toReversed();
const check = () => checkHealth(deps, { lanes: 4, limit: 100, requestId: "req_check" });
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: unknown) => (isDomainError(error) ? [error.code, ...error.errors.map(({ detail }) => detail)] : error),
  );
const idsOf = async (query: Partial<Parameters<typeof listParticipants>[1]>) =>
  (await listParticipants(deps, { limit: 100, ...query })).participants.map(({ id }) => id);

describe("an operator lists another authorization server (docs/spec/directory.md, Other authorization servers)", () => {
  test("the entry has the capabilities and keys of its metadata, and no owner", async () => {
    const { issuer, uri, document, jwks } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    const entry = await read(id);
    expect(entry).toMatchObject({
      roles: ["authorization_server"],
      display_name: "Ace Bank",
      legal_name: "Ace Bank plc",
      issuer,
      environment: "sandbox",
      status: "active",
      merchant_id: null,
      verified_domains: [],
      capabilities: {
        grant_types: ["authorization_code"],
        pushed_authorization_requests: true,
        dpop_bound_access_tokens: true,
        authorization_details_types: ["payment_initiation"],
        currencies: [],
        webhooks: false,
      },
      metadata_documents: [uri],
      federation_entity: null,
      version: 1,
    });
    expect(await versionsOf(id)).toEqual(["registered by operator"]);
    expect((await getMetadata(deps, id)).data).toMatchObject([{ uri, document, jwks }]);
    const [key] = await listParticipantKeys(deps, { participantId: id, withRetired: false });
    expect(key?.jwk["x"]).toBe(jwks.keys[0]?.x);
    expect((await listKeyHolders(deps, key?.thumbprint ?? "")).map(({ participantId }) => participantId)).toEqual([id]);
    expect(await findPublicEntity(deps, entry)).toBeNull();
    expect(await findEndpoints(deps, entry)).toContainEqual({ name: "Token", address: document.token_endpoint });
    expect((await getEntry(deps, { participantId: id })).history).toMatchObject([
      { action: "participant.registered", actorId: "acc_operator", data: { reason, issuer } },
    ]);
  });

  test("the list finds it by its issuer, role, capability and environment", async () => {
    const { issuer } = await publish(newIssuer());
    const { participantId: production } = await list(issuer, { environment: "production" });
    const { participantId: sandbox } = await list((await publish(newIssuer())).issuer);
    expect((await read(production)).environment).toBe("production");
    for (const q of [issuer, `${issuer}/`]) expect(await idsOf({ q })).toEqual([production]);
    const query = { role: "authorization_server", capability: "rar:payment_initiation" };
    expect(await idsOf(query)).toEqual(expect.arrayContaining([sandbox, production]));
    const found = async (environment: string, q?: string) => {
      const ids = await idsOf({ ...query, environment, q });
      const { count } = await listParticipants(deps, { ...query, environment, q, limit: 1, countUpTo: 100 });
      expect(count).toBe(ids.length);
      return [ids.includes(sandbox), ids.includes(production)];
    };
    expect(deps.config.environment).toBe("sandbox");
    expect(await found("sandbox")).toEqual([true, false]);
    expect(await found("production")).toEqual([false, true]);
    expect(await found("production", "ace")).toEqual([false, true]);
    expect(await idsOf({ q: issuer, environment: "sandbox" })).toEqual([]);
    expect(await idsOf({ q: issuer, environment: "production" })).toEqual([production]);
    expect(await idsOf({ environment: "sandbox" })).not.toContain(production);
  });

  test("an issuer is listed only once, with or without a trailing slash", async () => {
    const { issuer } = await publish(newIssuer());
    await list(issuer);
    expect(await outcomeOf(list(issuer))).toEqual(["issuer_listed"]);
    await publish(`${issuer}/`);
    expect(await outcomeOf(list(`${issuer}/`))).toEqual(["issuer_listed"]);
  });

  test("six concurrent calls on two nodes list it once", async () => {
    const [{ issuer }, node] = [await publish(newIssuer()), await anotherNode(deps)];
    const on = (index: number) => (index % 2 === 0 ? deps : { ...node, outbound: deps.outbound });
    const calls = Array.from({ length: 6 }, (_, index) => outcomeOf(list(issuer, {}, on(index) as TestDeps)));
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== "done")).toEqual(Array(5).fill(["issuer_listed"]));
    expect(await deps.db.prisma.participant.count({ where: { issuer } })).toBe(1);
    await node.close();
  });

  test.each([
    ["another issuer", newIssuer(), { issuer: "https://other.example" }, /doesn’t have https:\S+ as its issuer/],
    [
      "the issuer with a slash",
      "https://slash.example",
      { issuer: "https://slash.example/" },
      /has another issuer: https:\/\/slash.example\//,
    ],
    ["a jwks_uri that isn't a URL", newIssuer(), { jwks_uri: 7 }, /has a jwks_uri that isn’t a URL/],
    ["a private jwks_uri", newIssuer(), { jwks_uri: "https://keys.private.example/" }, /can’t be reached/],
  ])("metadata with %s is refused", async (_, issuer, members, problem) => {
    await publish(issuer, members);
    expect(await outcomeOf(list(issuer))).toEqual(["invalid_request", expect.stringMatching(problem)]);
    expect(await deps.db.prisma.participant.count({ where: { issuer } })).toBe(0);
  });

  test.each([
    ["https://10.0.0.1", /can’t be reached/],
    ["https://[::1]", /can’t be reached/],
    ["http://auth.example", /The address http:/],
    ["https://auth.private.example", /can’t be reached/],
    ["https://nothing.example", /isn’t returned with status 200 as JSON/],
    ["https://auth.example/?tenant=1", /https URL without a query/],
    ["file:///etc/passwd", /./],
  ])("%s is refused", async (issuer, problem) => {
    expect(await outcomeOf(list(issuer))).toEqual(["invalid_request", expect.stringMatching(problem)]);
  });

  test("a key set with a private key is refused", async () => {
    const { issuer, jwksUri } = await publish(newIssuer());
    published.set(jwksUri, { keys: [{ kty: "OKP", crv: "Ed25519", x: "x", d: "secret" }] });
    expect(await outcomeOf(list(issuer))).toEqual([
      "invalid_request",
      expect.stringMatching(/has a key that isn’t public/),
    ]);
  });

  test("the directory's own server can't be listed or withdrawn", async () => {
    await deps.db.transaction((tx) =>
      enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: { kind: "system", id: "start" } }),
    );
    const local = { ...deps, outbound: createOutbound({ allowLoopback: true }) };
    expect(await outcomeOf(list(deps.config.baseUrl, {}, local))).toEqual(["issuer_listed"]);
    expect((await read(serverParticipantId)).issuer).toBe(deps.config.baseUrl);
    expect(await outcomeOf(withdraw(serverParticipantId))).toEqual(["not_listed_server"]);
    expect(await outcomeOf(withdraw("ptc_nowhere"))).toEqual(["participant_not_found"]);
  });
});

describe("the hourly check of a listed server", () => {
  test("new capabilities or keys make a new version of the entry; other members don't", async () => {
    const { issuer, uri, document, jwksUri, jwks } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    await check();
    expect((await read(id)).health).toMatchObject({ status: "up", problem: null });
    expect(await versionsOf(id)).toEqual(["registered by operator"]);
    published.set(uri, { ...document, op_policy_uri: `${issuer}/policy` });
    deps.clock.advance(3600);
    await check();
    expect(await versionsOf(id)).toEqual(["registered by operator"]);
    published.set(uri, { ...document, grant_types_supported: ["client_credentials"] });
    deps.clock.advance(3600);
    await check();
    expect((await read(id)).capabilities.grant_types).toEqual(["client_credentials"]);
    const key = (await makeKey()).publicJwk;
    published.set(jwksUri, { keys: [key] });
    deps.clock.advance(3600);
    await check();
    expect(await versionsOf(id)).toEqual([
      "registered by operator",
      "metadata_changed by system",
      "keys_changed by system",
    ]);
    const keys = await listParticipantKeys(deps, { participantId: id, withRetired: true });
    expect(keys.filter(({ until }) => until === null).map(({ jwk }) => jwk["x"])).toEqual([key.x]);
    expect(keys.filter(({ until }) => until !== null).map(({ jwk }) => jwk["x"])).toEqual([jwks.keys[0]?.x]);
    published.delete(uri);
    deps.clock.advance(3600);
    await check();
    expect((await read(id)).health).toMatchObject({ status: "down" });
    expect(await idsOf({ q: issuer, capability: "grant:client_credentials" })).toContain(id);
  });

  test("a check that ends after the withdrawal changes nothing", async () => {
    const { issuer, uri, document } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    await check();
    deps.clock.advance(3600);
    published.set(uri, { ...document, grant_types_supported: ["client_credentials"] });
    const request = deps.outbound.request;
    const slow = {
      ...deps,
      outbound: {
        ...deps.outbound,
        request: async (...sent: Parameters<typeof request>) => {
          if (sent[0].url === uri) await withdraw(id);
          return request(...sent);
        },
      },
    };
    await checkHealth(slow, { lanes: 1, limit: 100, requestId: "req_check" });
    expect(await versionsOf(id)).toEqual(["registered by operator", "withdrawn by operator"]);
    expect((await read(id)).capabilities.grant_types).toEqual(["authorization_code"]);
  });
});

describe("an operator withdraws a listed server", () => {
  test("its entry, history and keys stay, and it can be listed again with other names", async () => {
    const { issuer, uri, document } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    expect(await withdraw(id)).toEqual({ isNew: true });
    expect(await withdraw(id)).toEqual({ isNew: false });
    expect((await read(id)).status).toBe("withdrawn");
    expect(await listParticipantKeys(deps, { participantId: id, withRetired: false })).toHaveLength(1);
    published.set(uri, { ...document, grant_types_supported: ["client_credentials"] });
    expect(await list(issuer, { displayName: "Ace", environment: "production" })).toEqual({ participantId: id });
    expect(await read(id)).toMatchObject({
      status: "active",
      display_name: "Ace",
      environment: "production",
      capabilities: { grant_types: ["client_credentials"] },
    });
    expect(await versionsOf(id)).toEqual([
      "registered by operator",
      "withdrawn by operator",
      "listed_again by operator",
    ]);
    const { history } = await getEntry(deps, { participantId: id });
    expect(history.map(({ action }) => action).toSorted()).toEqual([
      "participant.listed_again",
      "participant.registered",
      "participant.withdrawn",
    ]);
  });

  test("a suspended server can't be withdrawn or listed again", async () => {
    const { issuer } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    await suspend(id, true);
    expect((await read(id)).status).toBe("suspended");
    expect(await outcomeOf(withdraw(id))).toEqual(["participant_suspended"]);
    expect(await outcomeOf(list(issuer))).toEqual(["issuer_listed"]);
    await suspend(id, false);
    await withdraw(id);
    await suspend(id, true);
    expect(await outcomeOf(list(issuer))).toEqual(["participant_suspended"]);
    await suspend(id, false);
    await list(issuer);
    expect((await read(id)).status).toBe("active");
  });

  test("concurrent withdrawals, checks and listings don't deadlock, and leave one consistent history", async () => {
    const { issuer, uri, document } = await publish(newIssuer());
    const { participantId: id } = await list(issuer);
    for (let round = 0; round < 5; round += 1) {
      deps.clock.advance(3700);
      published.set(uri, { ...document, grant_types_supported: [`round_${round}`] });
      const outcomes = await Promise.all([
        withdraw(id),
        outcomeOf(list(issuer)),
        check(),
        outcomeOf(list(issuer)),
        withdraw(id),
      ]);
      expect(outcomes).toHaveLength(5);
      await outcomeOf(list(issuer));
    }
    const changes = (await versionsOf(id)).filter((change) => change.includes("operator"));
    for (const [index, change] of changes.entries()) {
      expect(change === "withdrawn by operator").toBe(index % 2 === 1);
    }
    expect((await read(id)).status).toBe("active");
  });
});

test("the log contains the changes of listed servers", async () => {
  const { participantId: id } = await list((await publish(newIssuer())).issuer);
  await withdraw(id);
  expect(await versionsOf(id)).toHaveLength(2);
  const entries = await deps.db.prisma.directoryLogEntry.count({ where: { participantId: id } });
  expect(entries).toBe(2);
});
