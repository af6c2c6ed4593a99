import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, send } from "../support/answers/wire.ts";
import { signIn } from "../support/oauth/consent-driver.ts";
import { sharedService } from "../support/shared-service.ts";

/**
 * Pages, data for Next's router and procedures, while PostgreSQL ends the connections that they use, as in a failover
 * (docs/spec/operations.md, Database errors).
 */
const { sandboxUrl, variables } = sharedService();
const databaseUrl = Object.assign(new URL(variables["TEST_DATABASE_URL"] ?? ""), {
  pathname: "paygrant_sandbox",
}).toString();

const people = ["payer", "merchant", "operator"] as const;
type Person = (typeof people)[number];
const cookies = {} as Record<Person, string>;
const admin = new pg.Client({ connectionString: databaseUrl });
const locking = new pg.Client({ connectionString: databaseUrl, application_name: "test" });

beforeAll(async () => {
  await Promise.all([admin.connect(), locking.connect()]);
  for (const person of people) {
    const email = `${person}@demo.paygrant.test`;
    cookies[person] = await signIn(sandboxUrl, { email, password: "paygrant-demo" });
  }
});
afterAll(() => Promise.all([admin.end(), locking.end()]));

const load = (target: string, person: Person, headers: Record<string, string> = {}): Promise<Answer> =>
  send(`${sandboxUrl}${target}`, { headers: { accept: "text/html", cookie: cookies[person], ...headers } });

/** Loads a page as Next's router does. `_rsc` is a hash of headers that aren't sent here, so it is empty. */
const loadData = (target: string, person: Person): Promise<Answer> => load(`${target}?_rsc`, person, { rsc: "1" });

/** Locks the table, sends the request, and ends each connection that waits for a lock until the request is answered. */
const loadWithoutTable = async (table: string, request: () => Promise<Answer>): Promise<Answer> => {
  await locking.query("BEGIN");
  await locking.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  try {
    const asked = request();
    let isAnswered = false;
    const end = () => {
      isAnswered = true;
    };
    void asked.then(end, end);
    for (; !isAnswered; await sleep(20)) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    }
    return await asked;
  } finally {
    await locking.query("ROLLBACK");
  }
};

const expectUnavailable = ({ status, headers }: Answer): void => {
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(headers.get("cache-control")).toContain("no-store");
};

describe("a request that loses its database connection is answered with 503 and Retry-After", () => {
  /** The layout reads the session, the page its own table. */
  const reads = [
    ["/wallet", "payer", "session"],
    ["/wallet/activity", "payer", "charge"],
    ["/wallet/mandates", "payer", "mandate"],
    ["/merchant/payments", "merchant", "charge"],
    ["/merchant/apps", "merchant", "client"],
    ["/operator/merchants", "operator", "merchant"],
    ["/operator", "operator", "session"],
    ["/directory", "payer", "participant"],
  ] as const;

  test.each(reads)("the page %s for the %s, if the connection that reads %s is lost", async (target, person, table) => {
    const answer = await loadWithoutTable(table, () => load(target, person));
    expectUnavailable(answer);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(answer.text).toContain("Wait a few seconds, then try again.");
    expect(answer.text).toContain(answer.headers.get("x-request-id"));
    expect((await load(target, person)).status).toBe(200);
  });

  // The home page of the operator console is sent while it is rendered.
  const held = reads.filter(([target]) => target !== "/operator");
  test.each(held)("the data of %s for the %s in Next's router, if %s can't be read", async (target, person, table) => {
    expectUnavailable(await loadWithoutTable(table, () => loadData(target, person)));
    const answer = await loadData(target, person);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/x-component"]);
  });

  test("in the reader's language", async () => {
    const request = () => load("/wallet/activity?q=shop", "payer", { "accept-language": "de-AT" });
    const { text } = await loadWithoutTable("charge", request);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain("Der Dienst ist vorübergehend nicht verfügbar");
    // The link loads the same address, with its query.
    expect(text).toContain('<a href="">Noch einmal versuchen</a>');
  });

  test.each([
    ["before a procedure is called", "session"],
    ["in a procedure", "charge"],
  ])("a procedure of the wallet, if the connection is lost %s", async (_when, table) => {
    const answer = await loadWithoutTable(table, () => load("/api/trpc/wallet.activityFingerprint", "payer"));
    expectUnavailable(answer);
    expect(answer.json).toMatchObject({ error: { data: { code: "SERVICE_UNAVAILABLE" } } });
    expect(answer.text).not.toContain("terminating connection");
  });
});

const app = path.resolve(import.meta.dirname, "../../app");
/** The pages of the sandbox whose address has no parameter. The status page belongs to production. */
const pages = globSync("**/page.tsx", { cwd: app })
  .filter((file) => !readFileSync(path.join(app, file), "utf8").includes("statusOperatorPage("))
  .map((file) => `/${path.dirname(file)}`.replace(/\/\([a-z]+\)/g, "") || "/")
  .filter((route) => !/\[|^\/status(\/|$)|\/not-found$/.test(route))
  .sort();

const readerOf = (page: string): Person =>
  page.startsWith("/operator") ? "operator" : page.startsWith("/merchant") ? "merchant" : "payer";

test("while all connections are ended again and again, no page answers with 500", async () => {
  let isEnding = false;
  const ending = (async () => {
    for (; !isEnding; await sleep(15)) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
           AND application_name <> 'test'`,
      );
    }
  })();
  const counts = new Map<number, number>();
  const wrong: string[] = [];
  try {
    for (const request of [load, loadData]) {
      for (const page of pages) {
        const { status, text, headers } = await request(page, readerOf(page));
        counts.set(status, (counts.get(status) ?? 0) + 1);
        const isRight = status === 503 ? headers.has("retry-after") : [200, 303, 307].includes(status);
        if (!isRight)
          wrong.push(`${request === loadData ? "the data of " : ""}${page}: ${status} ${text.slice(0, 200)}`);
      }
    }
  } finally {
    isEnding = true;
    await ending;
  }
  expect(wrong).toEqual([]);
  expect(counts.get(200)).toBeGreaterThan(0);
  expect(counts.get(503)).toBeGreaterThan(0);
});
