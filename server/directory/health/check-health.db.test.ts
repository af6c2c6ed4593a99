import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { createOutbound } from "../../platform/outbound/outbound.ts";
import { editParticipant } from "../participants/edit-participant.ts";
import { getParticipant, listParticipantHistory } from "../participants/find-participant.ts";
import { checkHealth } from "./check-health.ts";
import { findHealth, getMetadata } from "./find-health.ts";

/** The responses of the participants' hosts, by URL. A function writes the response itself. Other URLs return 404. */
type Answer = object | ((response: ServerResponse) => unknown);
const published = new Map<string, Answer>();
const requested: string[] = [];

let host: Server;
let deps: TestDeps;

/**
 * Checks the URL of each request with the real guards, then sends the request to the server of the test. Hosts below
 * private.example have a private IP address.
 */
const outboundTo = (origin: string) => {
  const guarded = createOutbound({ allowLoopback: false, resolve: async () => ["10.0.0.1"] });
  const local = createOutbound({ allowLoopback: true });
  return {
    urlProblem: guarded.urlProblem,
    request: (request: Parameters<typeof local.request>[0]) =>
      new URL(request.url).hostname.endsWith("private.example") || guarded.urlProblem(request.url) !== null
        ? guarded.request(request)
        : local.request({ ...request, url: request.url.replace("https:/", origin) }),
  };
};

beforeAll(async () => {
  host = createServer((request, response) => {
    const address = `https:/${request.url}`;
    requested.push(address);
    const answer = published.get(address);
    if (typeof answer === "function") return (answer as (response: ServerResponse) => unknown)(response);
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const { port } = host.address() as AddressInfo;
  deps = await createTestDeps({ outbound: outboundTo(`http://127.0.0.1:${port}`) });
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await deps.close();
});
beforeEach(async () => {
  published.clear();
  await deps.db.prisma.participantHealth.deleteMany();
  requested.length = 0;
});

const server = () => serverEntry(deps);
const run = (limit = 100, lanes = 4) => checkHealth(deps, { lanes, limit, requestId: "req_check" });
const nextHour = () => {
  deps.clock.advance(3600);
  return run();
};

let made = 0;
/** An active participant; `edit` sets its metadata documents. */
const make = async (domain = `shop-${++made}.example`) => {
  const { client_id: clientId } = await registerClient(deps, {
    metadata: {
      client_name: "Grocer Bot",
      grant_types: ["client_credentials"],
      scope: "directory.write",
      jwks: { keys: [(await makeKey()).publicJwk] },
    },
    authorization: null,
    info: { requestId: "req_test", ipAddress: "", userAgent: "" },
  });
  const client = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
  const participantId = client.participantId ?? "";
  const at = deps.clock.now();
  const claim = { participantId, domain, token: "token", claimedAt: at, verifiedAt: at, provedAt: at };
  await deps.db.prisma.participantDomain.create({ data: claim });
  const uri = `https://${domain}/.well-known/oauth-protected-resource`;
  const keysUri = `https://keys.${domain}/jwks`;
  const entry = {
    displayName: "Grocer",
    legalName: null,
    websiteUri: null,
    logoUri: null,
    contacts: [`ops@${domain}`, "someone@elsewhere.example"],
    isWithdrawn: false,
  };
  const edit = (metadataUris: string[], isWithdrawn = false) =>
    editParticipant(deps, {
      participantId,
      clientId,
      requestId: "req_test",
      edit: { ...entry, metadataUris, maxChargeAmounts: [], isWithdrawn },
      hasRead: () => true,
      server,
    });
  const document = { resource: `https://${domain}`, scopes_supported: ["read"], jwks_uri: keysUri };
  const keys = [(await makeKey()).publicJwk];
  published.set(uri, document);
  published.set(keysUri, { keys });
  return { id: participantId, domain, uri, keysUri, document, keys, edit };
};
/** Like `make`, and registers the participant's metadata document. */
const registered = async (domain?: string) => {
  const own = await make(domain);
  await own.edit([own.uri]);
  return own;
};

/** Requests for the URL get no response until the returned function is called. */
const hang = (uri: string): (() => void) => {
  const waiting: ServerResponse[] = [];
  published.set(uri, (response) => waiting.push(response));
  return () => {
    for (const response of waiting) response.writeHead(503).end();
  };
};

const healthOf = async (id: string) => (await getParticipant(deps, { id, server })).health;
const versionsOf = async (id: string) =>
  (await listParticipantHistory(deps, { id, before: null, limit: 10 })).versions.map(({ change }) => change);
const dueOf = async (participantId: string) =>
  (await deps.db.prisma.participantHealth.findUniqueOrThrow({ where: { participantId } })).checkDueAt;
const mailTo = (domain: string) =>
  deps.db.prisma.mail.findMany({ where: { kind: "metadata_changed", recipient: { endsWith: domain } } });
const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (isDomainError(error) ? error.errors : error),
  );

describe("the health of a participant (docs/spec/directory.md, Health)", () => {
  test("a metadata URL must be on a verified domain; it then appears in the entry and in its history, and the history contains no health values", async () => {
    const own = await make();
    const other = own.uri.replace("shop", "other");
    const pointer = "/metadata_documents";
    expect(await refusalOf(own.edit([other]))).toMatchObject([{ pointer, detail: expect.stringContaining(other) }]);
    expect(await refusalOf(own.edit([own.uri.replace("https", "http")]))).toMatchObject([{ pointer }]);
    await own.edit([own.uri]);
    await run();
    const entry = await getParticipant(deps, { id: own.id, server });
    expect(entry).toMatchObject({ metadata_documents: [own.uri], health: { status: "up", uptime_30d: "100.000" } });
    const { versions } = await listParticipantHistory(deps, { id: own.id, before: null, limit: 1 });
    expect(versions[0]?.document).toMatchObject({ metadata_documents: [own.uri] });
    expect(versions[0]?.document).not.toHaveProperty("health");
    await own.edit([]);
    expect(await getParticipant(deps, { id: own.id, server })).toMatchObject({ metadata_documents: [], health: null });
    expect(await versionsOf(own.id)).toEqual(["edited", "edited", "registered"]);
  });

  test("the first snapshot isn't a change; a later change is kept with its diff, audited and mailed once", async () => {
    const own = await registered();
    await run();
    const first = { uri: own.uri, document: own.document, jwks: { keys: own.keys }, changed_at: null };
    expect(await getMetadata(deps, own.id)).toMatchObject({ data: [first], changes: [] });

    const next = (await makeKey()).publicJwk;
    published.set(own.uri, { ...own.document, scopes_supported: ["read", "write"] });
    published.set(own.keysUri, { keys: [...own.keys, next] });
    await nextHour();
    const at = deps.clock.now().toISOString();
    const after = await getMetadata(deps, own.id);
    expect(after.data).toMatchObject([{ fetched_at: at, changed_at: at, jwks: { keys: [...own.keys, next] } }]);
    expect(after.changes).toEqual([
      { uri: own.uri, part: "jwks", changed_at: at, diff: [{ op: "add", path: "/keys/1", value: next }] },
      {
        uri: own.uri,
        part: "metadata",
        changed_at: at,
        diff: [{ op: "add", path: "/scopes_supported/1", value: "write" }],
      },
    ]);
    await nextHour();
    expect(await getMetadata(deps, own.id)).toMatchObject({ data: [{ changed_at: at }], changes: after.changes });
    expect((await mailTo(own.domain)).map(({ recipient }) => recipient)).toEqual([`ops@${own.domain}`]);
    expect(await mailTo("elsewhere.example")).toEqual([]);
    const audit = await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE subject_id = ${own.id} AND action = 'participant.metadata_changed'`;
    expect(audit).toHaveLength(1);
    expect(await versionsOf(own.id)).toEqual(["edited", "registered"]);
  });

  test("at most 20 changes are kept, the newest ones", async () => {
    const own = await registered();
    for (let count = 0; count < 22; count += 1) {
      published.set(own.uri, { ...own.document, count });
      await nextHour();
    }
    const { changes } = await getMetadata(deps, own.id);
    expect([changes.length, changes[0]?.diff, changes.at(-1)?.diff]).toEqual([
      20,
      [{ op: "replace", path: "/count", value: 21 }],
      [{ op: "replace", path: "/count", value: 2 }],
    ]);
  });

  test("a failed check is shown with its reason and keeps the snapshot; after a day of failures, checks are less frequent", async () => {
    const own = await registered();
    await run();
    const { last_success_at: success } = (await healthOf(own.id)) ?? {};
    published.delete(own.keysUri);
    await nextHour();
    expect(await healthOf(own.id)).toMatchObject({
      status: "down",
      last_success_at: success,
      uptime_30d: "50.000",
      problem: `${own.keysUri} isn’t returned with status 200 as JSON.`,
    });
    expect((await getMetadata(deps, own.id)).data).toMatchObject([{ document: own.document, fetched_at: success }]);
    published.set(own.keysUri, { keys: own.keys });
    published.set(own.uri, { ...own.document, resource: "https://elsewhere.example" });
    await nextHour();
    expect(await healthOf(own.id)).toMatchObject({ problem: expect.stringContaining("as its resource") });
    await deps.db.prisma.participantHealth.update({ where: { participantId: own.id }, data: { failedChecks: 23 } });
    await nextHour();
    expect((await dueOf(own.id)).getTime() - deps.clock.now().getTime()).toBeGreaterThan(5 * 3_600_000);
    published.set(own.uri, own.document);
    deps.clock.advance(6 * 3600);
    await run();
    const { result, days } = await findHealth(deps, own.id);
    expect(result).toMatchObject({ status: "up", problem: null, uptime_30d: "20.000" });
    expect(days.reduce((sum, day) => sum + day.down, 0)).toBe(8);
  });

  test("a host with a private address isn't contacted", async () => {
    const own = await registered("shop.private.example");
    await run();
    expect(await healthOf(own.id)).toMatchObject({
      status: "down",
      uptime_30d: "0.000",
      problem: `${own.uri} can’t be reached: its host has no public IP address that responds.`,
    });
    expect(requested).toEqual([]);
  });

  test("only active participants are checked, and only on domains that are still verified", async () => {
    const [gone, demoted] = [await registered(), await registered()];
    await gone.edit([gone.uri], true);
    const where = { participantId: demoted.id };
    const second = { ...where, domain: `second-${demoted.domain}`, token: "t", claimedAt: deps.clock.now() };
    await deps.db.prisma.participantDomain.create({ data: { ...second, verifiedAt: deps.clock.now() } });
    await deps.db.prisma.participantDomain.updateMany({
      where: { ...where, domain: demoted.domain },
      data: { verifiedAt: null },
    });
    expect(await run()).toBe(2);
    expect(requested).toEqual([]);
    expect([await healthOf(gone.id), await healthOf(demoted.id)]).toEqual([null, null]);
    expect(await run()).toBe(0);
    // The URL that the entry already has doesn't block an edit.
    await demoted.edit([demoted.uri]);
  });

  test("a host that doesn't answer delays neither the checks of other participants nor another run", async () => {
    const [slow, ...others] = [await registered(), await registered(), await registered(), await registered()];
    const release = hang(slow.uri);
    const running = run(100, 2);
    const statuses = () => Promise.all(others.map(async ({ id }) => (await healthOf(id))?.status));
    await expect.poll(statuses).toEqual(["up", "up", "up"]);
    expect(await healthOf(slow.id)).toBeNull();
    expect(await run()).toBe(0);
    release();
    expect(await running).toBe(4);
    expect(await healthOf(slow.id)).toMatchObject({ status: "down" });
  });

  test("another worker takes over after the lease expires, and the late result of the first isn't recorded", async () => {
    const own = await registered();
    const release = hang(own.uri);
    const late = run();
    await expect.poll(() => requested).toEqual([own.uri]);
    deps.clock.advance(61);
    published.set(own.uri, own.document);
    expect(await run()).toBe(1);
    release();
    await late;
    expect(await healthOf(own.id)).toMatchObject({ status: "up", uptime_30d: "100.000" });
  });

  test("workers share the checks, each of which runs once an hour", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => registered()));
    const counts = await Promise.all([run(5, 2), run(100, 2), run(100, 2)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
    expect(counts[0]).toBeLessThanOrEqual(5);
    expect(requested.toSorted()).toEqual(all.flatMap(({ uri, keysUri }) => [uri, keysUri]).toSorted());
    expect(await run()).toBe(0);
    expect(await nextHour()).toBe(12);
  });

  test("the authorization server's own documents are registered, and fetched where they have a public address", async () => {
    const enter = () =>
      deps.db.transaction((tx) =>
        enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: { kind: "system", id: "test" } }),
      );
    await deps.db.prisma.participantMetadata.deleteMany({ where: { participantId: "ptc_server" } });
    await enter();
    const due = await dueOf("ptc_server");
    deps.clock.advance(1);
    await enter();
    expect(await dueOf("ptc_server")).toEqual(due);
    const { data } = await getMetadata(deps, "ptc_server");
    expect(data.map(({ uri }) => uri)).toEqual(server().metadataDocuments.toSorted());
    expect(await run()).toBe(1);
    expect([requested, await healthOf("ptc_server")]).toEqual([[], null]);
  });
});
