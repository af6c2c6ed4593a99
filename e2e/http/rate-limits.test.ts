import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorPage, expectOAuthError, expectProblem } from "../support/answers/error-shape.ts";
import { type Answer, formType, postForm, postJson, send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { makeKey } from "../support/oauth/oauth-client.ts";
import { clientToken, type Party, postAs, registerMerchant } from "../support/oauth/parties.ts";
import { ownService } from "../support/own-service.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Limits that are small enough to be reached. A trusted proxy names the callers' addresses. */
const limits = [
  "signed.client=10/10",
  "signed.address=40/20",
  "resource.client=4/8",
  "registration.address=3/6",
  "person.address=4/8",
  "page.address=6/12",
  "revokeToken.client=3/6",
];

const service = ownService({
  WEB_CONCURRENCY: "2",
  RATE_LIMIT_LOOPBACK: "1",
  RATE_LIMITS: limits.join(),
  TRUSTED_PROXIES: "127.0.0.1,::1",
});
let baseUrl: string;
let databaseUrl: string;
let lastAddress = 0;

beforeAll(() => {
  const { sandboxUrl, variables } = service;
  baseUrl = sandboxUrl;
  databaseUrl = Object.assign(new URL(variables["TEST_DATABASE_URL"] ?? ""), {
    pathname: "paygrant_sandbox",
  }).toString();
});

/** The IP address of a caller that has sent no request yet. */
const newAddress = () => `203.0.113.${++lastAddress}`;
const from = (address: string) => ({ "x-forwarded-for": address });
const makeParty = () => registerMerchant(baseUrl, { headers: from(newAddress()) });
const requestToken = (party: Party, address: string) =>
  postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" }, headers: from(address) });

/** Repeats a request until it is refused. @returns the refusal, and how many requests passed before it. */
const untilRefused = async (attempt: () => Promise<Answer>): Promise<{ refused: Answer; passed: number }> => {
  for (let passed = 0; passed < 500; passed++) {
    const refused = await attempt();
    if (refused.status === 429) return { refused, passed };
  }
  throw new Error("never refused");
};

const retryAfter = (answer: Answer): number => Number(answer.headers.get("retry-after") ?? Number.NaN);
/**
 * Waits for the time in Retry-After, then retries. After another refusal, it retries up to twice more. If the shared
 * database is busy, the other process may have allowed requests that it hasn't recorded yet.
 */
const retryAsAdvised = async (refused: Answer, attempt: () => Promise<Answer>): Promise<Answer> => {
  let answer = refused;
  for (let times = 0; answer.status === 429 && times < 3; times += 1) {
    await sleep(retryAfter(answer) * 1000);
    answer = await attempt();
  }
  return answer;
};

describe("the limit per client (docs/spec/product.md, Rate limits)", () => {
  test("reports the remaining allowance on every answer (draft-ietf-httpapi-ratelimit-headers-11 §3, §4)", async () => {
    const party = await makeParty();
    const answer = await requestToken(party, newAddress());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-policy")).toBe('"signed-address";q=40;w=20, "signed-client";q=10;w=10');
    expect(answer.headers.get("ratelimit")).toBe('"signed-address";r=39;t=1, "signed-client";r=9;t=1');
  });

  test("refuses in RFC 6749's shape with 429 and a correct Retry-After (RFC 9126 §2.3, RFC 6585 §4)", async () => {
    const party = await makeParty();
    const address = newAddress();
    const { refused, passed } = await untilRefused(() => requestToken(party, address));
    expectOAuthError(refused, 429, "temporarily_unavailable");
    expect(passed).toBeGreaterThanOrEqual(10);
    expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("ratelimit")).toMatch(/^"signed-address";r=\d+;t=\d+, "signed-client";r=0;t=\d+$/);
    expect((await retryAsAdvised(refused, () => requestToken(party, address))).status).toBe(200);
  });

  test("gives an endpoint with its own limit a separate allowance", async () => {
    const party = await makeParty();
    const address = newAddress();
    const revoke = () => postAs(party, "/oauth/revoke", { form: { token: "unknown" }, headers: from(address) });
    const answer = await revoke();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-policy")).toBe('"signed-address";q=40;w=20, "revokeToken-client";q=3;w=6');
    const { refused, passed } = await untilRefused(revoke);
    expectOAuthError(refused, 429, "temporarily_unavailable");
    // Two requests are left in this process and two in the other process, and some are refilled in the meantime.
    expect(passed).toBeLessThanOrEqual(6);
    expect((await requestToken(party, address)).headers.get("ratelimit")).toMatch(/"signed-client";r=9;/);
    expect((await retryAsAdvised(refused, revoke)).status).toBe(200);
  });

  test("counts a client's requests from all addresses together, and separately from other clients", async () => {
    const [party, neighbour] = [await makeParty(), await makeParty()];
    const address = newAddress();
    await untilRefused(() => requestToken(party, address));
    await sleep(1200);
    await untilRefused(() => requestToken(party, address));
    const refusedAt = performance.now();
    expect((await requestToken(neighbour, address)).status).toBe(200);
    const { passed } = await untilRefused(() => requestToken(party, newAddress()));
    expect(passed).toBeLessThanOrEqual(3 + (performance.now() - refusedAt) / 1000);
  });

  test("counts only requests that authenticate the client, so that no other caller uses up its allowance", async () => {
    const party = await makeParty();
    const address = newAddress();
    for (let count = 0; count < 4; count++) {
      const forged = await postAs(party, "/oauth/token", {
        form: { client_assertion: "e30.e30.e30" },
        headers: from(address),
      });
      expectOAuthError(forged, 401, "invalid_client");
      expect(forged.headers.get("ratelimit")).toMatch(/^"signed-address";r=\d+;t=\d+$/);
    }
    expect((await requestToken(party, newAddress())).headers.get("ratelimit")).toMatch(/"signed-client";r=9;/);
  });

  test("counts a request whose caller resets the connection after sending it", async () => {
    const { hostname, port, host } = new URL(baseUrl);
    const body = JSON.stringify({ grant_types: ["client_credentials"], jwks: { keys: [(await makeKey()).publicJwk] } });
    const lines = ["POST /oauth/register HTTP/1.1", `Host: ${host}`, "Content-Type: application/json"];
    const text = [...lines, `Content-Length: ${body.length}`, "", body].join("\r\n");
    const sendAndReset = () =>
      new Promise<void>((resolve) => {
        const socket = net.connect(Number(port), hostname, () => {
          socket.write(text, () => {
            socket.resetAndDestroy();
            resolve();
          });
        });
        socket.on("error", () => resolve());
      });
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    const countClients = async () =>
      Number((await database.query("SELECT count(*) FROM client WHERE NOT is_probe")).rows[0].count);
    const before = await countClients();
    const startedAt = performance.now();
    for (let count = 0; count < 60; count++) await sendAndReset();
    await sleep(1000);
    const made = (await countClients()) - before;
    // A reset after the request doesn't prevent counting: 6 requests are allowed, and one more every two seconds.
    expect(made).toBeLessThanOrEqual(6 + (performance.now() - startedAt) / 2000);
    await database.end();
  });

  test("two processes together exceed the limit by at most one bucket, which is the tolerance for each additional process", async () => {
    const party = await makeParty();
    const startedAt = performance.now();
    const seconds = 8;
    let passed = 0;
    let lastRequestAt = startedAt;
    const hammer = async () => {
      const address = newAddress();
      while (performance.now() - startedAt < seconds * 1000) {
        lastRequestAt = performance.now();
        if ((await requestToken(party, address)).status === 200) passed += 1;
        else await sleep(40);
      }
    };
    await Promise.all(Array.from({ length: 8 }, hammer));
    const byOneUntil = (at: number) => 10 + (at - startedAt) / 1000;
    expect(passed).toBeGreaterThanOrEqual(byOneUntil(lastRequestAt) - 3);
    expect(passed).toBeLessThanOrEqual(byOneUntil(performance.now()) + 10);
    await sleep(1500);
    const { refused } = await untilRefused(() => requestToken(party, newAddress()));
    expect((await retryAsAdvised(refused, () => requestToken(party, newAddress()))).status).toBe(200);
  });

  test("writes one audit entry for all refusals of a bucket, not one for each refusal", async () => {
    const party = await makeParty();
    const address = newAddress();
    const { refused } = await untilRefused(() => requestToken(party, address));
    const answers = [refused];
    for (let count = 0; count < 5; count++) answers.push(await requestToken(party, address));
    const entries = () => listAudited(party.id);
    await waitUntil(async () => (await entries()).length > 0);
    await sleep(1500);
    await untilRefused(() => requestToken(party, newAddress()));
    await sleep(1500);
    const ids = answers.filter(({ status }) => status === 429).map(({ headers }) => headers.get("x-request-id"));
    // Both processes refused requests. The process that records its refusal first writes the audit entry.
    const request_id = expect.toBeOneOf(ids);
    expect(await entries()).toEqual([{ request_id, data: { operation: "token", policy: "signed-client" } }]);
  });
});

const listAudited = async (clientId: string): Promise<{ request_id: string; data: object }[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = "SELECT request_id, data FROM audit_entry WHERE action = 'request.rate_limited' AND subject_id = $1";
    return (await client.query(text, [clientId])).rows;
  } finally {
    await client.end();
  }
};

describe("the limit per IP address (docs/spec/product.md, Rate limits)", () => {
  const knock = (address: string) =>
    send(`${baseUrl}/oauth/token`, {
      method: "POST",
      headers: { "content-type": formType, ...from(address) },
      body: "scope=a&scope=a",
    });

  test("refuses before reading the request, and limits no other address", async () => {
    const address = newAddress();
    const { refused, passed } = await untilRefused(() => knock(address));
    expectOAuthError(refused, 429, "temporarily_unavailable");
    expect(passed).toBeGreaterThanOrEqual(40);
    expect((await knock(newAddress())).status).toBe(400);
    expect((await retryAsAdvised(refused, () => knock(address))).status).toBe(400);
  });

  test("counts a /64 of IPv6 as one caller, and the next /64 as another", async () => {
    let host = 0;
    const { passed } = await untilRefused(() => knock(`2001:db8:0:7::${(++host).toString(16)}`));
    expect(passed).toBeGreaterThanOrEqual(40);
    expect((await knock("2001:db8:0:8::1")).status).toBe(400);
  });

  test("counts a failed client authentication as ten requests, and reports it (RFC 6819 §5.1.4.2.4)", async () => {
    const address = newAddress();
    const guess = () => postForm(`${baseUrl}/oauth/token`, { client_assertion: "x" }, from(address));
    expect((await guess()).headers.get("ratelimit")).toMatch(/^"signed-address";r=3[0-5];/);
    const { refused, passed } = await untilRefused(guess);
    // 30 of 40 requests are left in this process. The other process may allow its own share before it reads this usage,
    // and 2 are refilled each second.
    expect(passed).toBeLessThanOrEqual(8);
    expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
  });

  test("limits registration in the sandbox strictly, since it is open", async () => {
    const address = newAddress();
    const register = () => postJson(`${baseUrl}/oauth/register`, {}, from(address));
    const { refused, passed } = await untilRefused(register);
    expectOAuthError(refused, 429, "temporarily_unavailable");
    expect(passed).toBeLessThanOrEqual(7);
    expect((await requestToken(await makeParty(), address)).status).toBe(200);
    expectOAuthError(await retryAsAdvised(refused, register), 400);
  });

  test("never refuses health checks of a load balancer", async () => {
    const address = newAddress();
    for (let count = 0; count < 30; count++) {
      const answer = await send(`${baseUrl}/healthz`, { headers: from(address) });
      expect([answer.status, answer.headers.get("ratelimit")]).toEqual([200, null]);
    }
  });
});

describe("a refusal has the error format of its endpoint (docs/spec/product.md, Invalid requests)", () => {
  test("problem details if an access token is presented", async () => {
    const party = await makeParty();
    const headers = { authorization: `Bearer ${await clientToken(party)}`, ...from(newAddress()) };
    const list = () => send(`${baseUrl}/merchant_test/charges`, { headers });
    const { refused } = await untilRefused(list);
    expectProblem(refused, 429, "too_many_requests");
    expect(refused.headers.get("ratelimit-policy")).toMatch(/"resource-client";q=4;w=8$/);
    expect((await retryAsAdvised(refused, list)).status).toBe(200);
  });

  test("a page at the authorization endpoint", async () => {
    const address = newAddress();
    const { refused } = await untilRefused(() => send(`${baseUrl}/oauth/authorize`, { headers: from(address) }));
    expectErrorPage(refused, 429);
    expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
  });

  test("an HTML page for a page's address, cached or not, and for an unknown address; build assets aren't counted", async () => {
    for (const path of ["/docs/errors", "/sign-in", "/no/such/page"]) {
      const address = newAddress();
      const { refused, passed } = await untilRefused(() => send(`${baseUrl}${path}`, { headers: from(address) }));
      expectErrorPage(refused, 429);
      expect(passed).toBeGreaterThanOrEqual(6);
      expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
      expect((await send(`${baseUrl}/icon.svg`, { headers: from(address) })).status).toBe(200);
      expect((await send(`${baseUrl}/openapi.json`, { headers: from(address) })).status).toBe(200);
    }
  });

  test("tRPC's format for the procedures of pages", async () => {
    const address = newAddress();
    const { refused } = await untilRefused(() => send(`${baseUrl}/api/trpc/auth.session`, { headers: from(address) }));
    expect(refused.json?.["error"]).toMatchObject({ data: { code: "TOO_MANY_REQUESTS", httpStatus: 429 } });
    expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
  });

  test("the refusal and its headers are documented at every limited operation", async () => {
    const { paths } = JSON.parse((await send(`${baseUrl}/openapi.json`)).text);
    const { responses } = paths["/oauth/token"].post;
    expect(Object.keys(responses["429"].headers).sort()).toEqual(["RateLimit", "RateLimit-Policy", "Retry-After"]);
    expect(Object.keys(responses["200"].headers)).toEqual(expect.arrayContaining(["RateLimit", "RateLimit-Policy"]));
    expect(responses["429"].content["application/json"].example.error).toBe("temporarily_unavailable");
    expect(paths["/merchant_test/charge"].post.responses["429"].content).toHaveProperty("application/problem+json");
    expect(paths["/healthz"].get.responses).not.toHaveProperty("429");
  });
});

test("doesn't limit callers on loopback with the embedded default", async () => {
  const answer = await send(`${currentInstance().sandboxUrl}/.well-known/jwks.json`);
  expect([answer.status, answer.headers.get("ratelimit"), answer.headers.get("ratelimit-policy")]).toEqual([
    200,
    null,
    null,
  ]);
});
