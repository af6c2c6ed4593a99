import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { unknownSessionCookie } from "../../accounts/sessions/unknown-session.ts";
import { type Board, emptyBoard } from "../rules/board.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import { checkDeployed, checkPage, checkService } from "./http-checks.ts";
import { withDatabase } from "./run-checks.ts";
import { probeOnce } from "./start-probes.ts";

let server: Server;
let baseUrl: string;
let pages: Record<string, { status?: number; body: unknown }>;
let healthyPages: typeof pages;
const cookies: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[request.url ?? ""];
    cookies.push(request.headers.cookie);
    const text = typeof page?.body === "string" ? page.body : JSON.stringify(page?.body ?? {});
    response.writeHead(page ? (page.status ?? 200) : 404).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  const at = (path: string) => `${baseUrl}${path}`;
  healthyPages = {
    "/healthz": { body: { status: "alive" } },
    "/readyz": { body: { status: "ready", checks: { database: true, keys: true, migrations: true } } },
    "/.well-known/oauth-authorization-server": {
      body: {
        issuer: baseUrl,
        authorization_endpoint: at("/a"),
        token_endpoint: at("/t"),
        jwks_uri: at("/jwks.json"),
        pushed_authorization_request_endpoint: at("/p"),
        revocation_endpoint: at("/r"),
        introspection_endpoint: at("/i"),
      },
    },
    "/jwks.json": { body: { keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }] } },
    "/page": { body: "<!doctype html><title>Sign in · Paygrant</title>" },
  };
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  pages = structuredClone(healthyPages);
});

const outcomes = async () =>
  Object.fromEntries(
    (await checkService("sandbox", baseUrl)).map(({ check, outcome }) => [check.split(".")[1], outcome]),
  );
const allOk = { health: "ok", readiness: "ok", database: "ok", metadata: "ok", keys: "ok" };
const bodyOf = (path: string) => pages[path]?.body as Record<string, unknown>;

describe("checks of a service (docs/spec/status.md, Probes)", () => {
  test("a healthy service passes", async () => expect(await outcomes()).toEqual(allOk));

  test("reports no response", async () => {
    const found = await checkService("sandbox", "http://127.0.0.1:9");
    expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["no_response"]));
  });

  test("/readyz reports an unavailable database separately", async () => {
    const checks = { database: false, keys: true, migrations: false };
    pages["/readyz"] = { status: 503, body: { status: "not_ready", checks } };
    expect(await outcomes()).toEqual({ ...allOk, readiness: "failed", database: "failed" });
  });

  test.each([
    [
      "unexpected issuer",
      () => Object.assign(bodyOf("/.well-known/oauth-authorization-server"), { issuer: "https://x.example" }),
    ],
    [
      "an endpoint elsewhere",
      () => Object.assign(bodyOf("/.well-known/oauth-authorization-server"), { token_endpoint: "https://x.example/t" }),
    ],
    ["no JSON", () => Object.assign(pages, { "/.well-known/oauth-authorization-server": { body: "<html>" } })],
  ])("metadata with %s fails (RFC 8414 §3.3)", async (_, change) => {
    change();
    expect(await outcomes()).toMatchObject({ health: "ok", metadata: "failed" });
  });

  test.each([
    ["no key", () => Object.assign(bodyOf("/jwks.json"), { keys: [] })],
    ["a private key", () => Object.assign((bodyOf("/jwks.json")["keys"] as object[])[0] ?? {}, { d: "AAAA" })],
    ["an invalid key", () => Object.assign((bodyOf("/jwks.json")["keys"] as object[])[0] ?? {}, { x: "AA" })],
  ])("a key set with %s fails (RFC 7517)", async (_, change) => {
    change();
    expect(await outcomes()).toEqual({ ...allOk, keys: "failed" });
  });

  test("a page passes if it has our title; an error page fails", async () => {
    expect((await checkPage(`${baseUrl}/page`, "pg=1")).outcome).toBe("ok");
    expect((await checkPage(`${baseUrl}/healthz`, "pg=1")).outcome).toBe("failed");
    expect((await checkPage(`${baseUrl}/nothing`, "pg=1")).outcome).toBe("failed");
  });

  test("requests the wallet with a session cookie, so that the page needs the database", async () => {
    expect(unknownSessionCookie("production")).toMatch(/^__Host-pg_live=[\w-]{43}$/);
    expect((await checkPage(`${baseUrl}/page`, unknownSessionCookie("production"))).outcome).toBe("ok");
    expect(cookies.at(-1)).toMatch(/^__Host-pg_live=/);
  });

  test("reports a component as not found until it responds", async () => {
    const missing = { outcome: "not_found", detail: "not deployed (HTTP 404)" };
    expect(await checkDeployed(`${baseUrl}/directory/v1`)).toEqual(missing);
    pages["/directory/v1"] = { status: 401, body: {} };
    expect((await checkDeployed(`${baseUrl}/directory/v1`)).outcome).toBe("ok");
    pages["/directory/v1"] = { status: 503, body: {} };
    expect((await checkDeployed(`${baseUrl}/directory/v1`)).outcome).toBe("failed");
  });

  test("a billing check that passed counts as failed if the database check failed; other results don't change", () => {
    const ok = { outcome: "ok", detail: "passes" } as const;
    const database = { check: "production.database", outcome: "failed", detail: "not reachable" } as const;
    expect(withDatabase(ok, [database])).toEqual({ outcome: "failed", detail: "the database is not reachable" });
    expect(withDatabase(ok, [{ ...database, outcome: "ok" }])).toEqual(ok);
    expect(withDatabase(ok, [{ ...database, outcome: "no_response" }])).toEqual(ok);
    const missing = { outcome: "not_found", detail: "not deployed (HTTP 404)" } as const;
    expect(withDatabase(missing, [database])).toEqual(missing);
  });
});

describe("a run", () => {
  const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
  const result = (outcome: CheckResult["outcome"]): CheckResult[] => [
    { check: "sandbox.health", outcome, detail: "no response" },
  ];
  const world = () => {
    let board: Board = emptyBoard(new Date(0));
    let now = Date.UTC(2026, 10, 21, 12);
    const written: JournalRecord[] = [];
    return {
      written,
      deps: {
        board: () => board,
        journal: {
          async append(records: readonly JournalRecord[]) {
            written.push(...records);
            board = withRecords(board, records);
          },
          pending: () => written,
        },
        clock: {
          now() {
            now += 1;
            return new Date(now);
          },
        },
        log: silent,
      },
    };
  };
  const runWith = (found: CheckResult["outcome"][]) => {
    const answers = [...found];
    return {
      intervalMilliseconds: 4,
      incidentsAreDrafts: false,
      runChecks: async () => result(answers.shift() ?? "ok"),
    };
  };
  const statesOf = (records: JournalRecord[]) =>
    records.flatMap((record) => (record.kind === "change" && record.component === "sandbox" ? [record.state] : []));

  test("repeats the checks before it reports an outage, and ignores a failure that doesn't repeat", async () => {
    const { deps, written } = world();
    let recent = await probeOnce(deps, runWith(["ok"]), new Map());
    recent = await probeOnce(deps, runWith(["no_response", "ok"]), recent);
    expect(statesOf(written)).toEqual(["operational"]);
    await probeOnce(deps, runWith(["no_response", "no_response"]), recent);
    expect(statesOf(written)).toEqual(["operational", "major_outage"]);
    expect(written.filter(({ kind }) => kind === "heartbeat")).toHaveLength(3);
  });

  test("opens an incident at the third failure; the incident starts at the first failure", async () => {
    const { deps, written } = world();
    let recent = await probeOnce(deps, runWith(["ok"]), new Map());
    for (let times = 0; times < 4; times += 1)
      recent = await probeOnce(deps, runWith(["no_response", "no_response"]), recent);
    const opened = written.filter((record) => record.kind === "incident_opened");
    const change = written.find((record) => record.kind === "change" && record.state === "major_outage");
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({ startedAt: change?.kind === "change" ? change.at : null, isDraft: false });
  });

  test("publishes the incident immediately if no operator could confirm a draft", async () => {
    const { deps, written } = world();
    const drafts = (found: CheckResult["outcome"][]) => ({ ...runWith(found), incidentsAreDrafts: true });
    const runDown = async (at: (board: Board) => Date) => {
      const read = { ...deps, board: () => ({ ...deps.board(), readAt: at(deps.board()) }) };
      let recent: Awaited<ReturnType<typeof probeOnce>> = new Map();
      for (let times = 0; times < 3; times += 1)
        recent = await probeOnce(read, drafts(["no_response", "no_response"]), recent);
      return written.flatMap((record) => (record.kind === "incident_opened" ? [record.isDraft] : []));
    };
    expect(await runDown(() => deps.clock.now())).toEqual([true]);
    expect(await runDown(({ readAt }) => readAt)).toEqual([true, false]);
  });

  test("reports unknown, and never an outage, if the event loop was delayed", async () => {
    const { deps, written } = world();
    const recent = await probeOnce(deps, runWith(["ok"]), new Map());
    const busy = {
      ...runWith([]),
      async runChecks() {
        const until = performance.now() + 1_200;
        while (performance.now() < until);
        return result("no_response");
      },
    };
    await probeOnce(deps, busy, recent);
    expect(statesOf(written)).toEqual(["operational", "unknown"]);
    await probeOnce(deps, runWith(["no_response", "no_response"]), recent);
    expect(statesOf(written)).toEqual(["operational", "unknown", "major_outage"]);
  });

  test("records no heartbeat if the process was paused, so that the time becomes a gap (docs/spec/status.md, Probes)", async () => {
    const { deps, written } = world();
    const recent = await probeOnce(deps, runWith(["ok"]), new Map());
    const real = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now");
    const stopped = {
      ...runWith([]),
      async runChecks() {
        clock.mockImplementation(() => real() + 20_000);
        return result("ok");
      },
    };
    const before = written.length;
    await probeOnce(deps, stopped, recent).finally(() => clock.mockRestore());
    expect(written).toHaveLength(before);
  });

  test("records no heartbeat if the journal can't be written", async () => {
    const { deps } = world();
    const full = { ...deps, journal: { ...deps.journal, append: () => Promise.reject(new Error("ENOSPC")) } };
    await expect(probeOnce(full, runWith(["ok"]), new Map())).rejects.toThrow("ENOSPC");
    expect(full.board().heartbeats).toEqual([]);
  });
});
