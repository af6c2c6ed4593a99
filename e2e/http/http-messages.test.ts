import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectErrorOf, expectProblem, expectSound } from "../support/answers/error-shape.ts";
import { postJson, send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { sendOctets } from "../support/octets.ts";

const { sandboxUrl } = currentInstance();
const statusUrl = process.env["E2E_STATUS_URL"] ?? "";
const { host } = new URL(sandboxUrl);

type Line = readonly [name: string, value: string];

/** A request with exactly these lines. It asks the server to close the connection after the answer. */
const request = (start: string, lines: readonly Line[], body = "") =>
  [start, ...lines.map(([name, value]) => `${name}: ${value}`), "connection: close", "", body].join("\r\n");

const sendRequest = (start: string, lines: readonly Line[] = [], body = "") =>
  sendOctets(sandboxUrl, request(start, [["host", host], ...lines], body));

describe("refuses an invalid Host header or request target (RFC 9112 §3.2)", () => {
  const hosts: Record<string, readonly Line[]> = {
    "no Host": [],
    "an empty Host": [["host", ""]],
    "two Hosts": [
      ["host", host],
      ["Host", "other.example"],
    ],
    "a space in Host": [["host", "a b"]],
    "an open bracket in Host": [["host", "[::1"]],
    "user information in Host": [["host", `user@${host}`]],
    "octets beyond ASCII in Host": [["host", "\xfc.example"]],
  };
  test.each(Object.entries(hosts))("%s", async (_, lines) => {
    for (const target of ["/oauth/token", "/merchant_test/charges", "/sign-in", "/no-such-page"]) {
      expectProblem(await sendOctets(sandboxUrl, request(`GET ${target} HTTP/1.1`, lines)), 400, "invalid_request");
    }
  });

  test.each(["*", "//", "//evil.example/", "/oauth/status-list/a\\b", "a:b"])(
    "refuses the target %s",
    async (target) => {
      const answer = await sendRequest(`OPTIONS ${target} HTTP/1.1`);
      expectSound(answer);
      expect([400, 405]).toContain(answer.status);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    },
  );

  test("answers a target in absolute-form by its path and ignores its host (RFC 9112 §3.2.2)", async () => {
    for (const authority of [host, "evil.example"]) {
      const answer = await sendRequest(`GET http://${authority}/.well-known/oauth-authorization-server HTTP/1.1`);
      expect([answer.status, answer.json?.["issuer"]]).toEqual([200, sandboxUrl]);
      expectProblem(await sendRequest(`GET http://${authority}//evil.example/ HTTP/1.1`), 400, "invalid_request");
    }
  });

  test("an unknown Host header never changes a URL in an answer", async () => {
    for (const foreign of ["evil.example", "localhost:99999"]) {
      const answer = await sendOctets(
        sandboxUrl,
        request("GET /.well-known/oauth-authorization-server HTTP/1.1", [["host", foreign]]),
      );
      expect(answer.status).toBe(200);
      expect(answer.json?.["issuer"]).toBe(sandboxUrl);
      expect(answer.text).not.toContain(foreign);
    }
  });
});

describe("health checks of load balancers use HTTP/1.0 without Host", () => {
  test.each(["/healthz", "/readyz"])("%s answers 200, also in the status process", async (path) => {
    for (const url of [sandboxUrl, statusUrl]) {
      for (const line of [`GET ${path} HTTP/1.0`, `HEAD ${path} HTTP/1.0`]) {
        expect((await sendOctets(url, `${line}\r\n\r\n`)).status).toBe(200);
      }
    }
    expectProblem(await sendOctets(sandboxUrl, `GET ${path} HTTP/1.0\r\nhost: a b\r\n\r\n`), 400, "invalid_request");
  });

  test("refuses every other path without Host", async () => {
    for (const line of ["OPTIONS / HTTP/1.0", "GET /oauth/token HTTP/1.0", "GET / HTTP/1.0"]) {
      expectProblem(await sendOctets(sandboxUrl, `${line}\r\n\r\n`), 400, "invalid_request");
    }
  });
});

describe("ignores headers that only Next itself may send", () => {
  /** Requests a page's data as Next's router does: follows the redirect to a URL with a digest of the headers. */
  const sendAsRouter = async (path: string, headers: Record<string, string>) => {
    const led = await send(`${sandboxUrl}${path}`, { headers });
    const location = led.headers.get("location");
    return led.status === 307 && location?.includes("_rsc=")
      ? send(new URL(location, sandboxUrl).href, { headers })
      : led;
  };
  const junk = ["%7Bx", "[1]", "\xe4", "1", "/../..", "x".repeat(30_000)];
  test.each([
    "next-router-state-tree",
    "next-router-prefetch",
    "next-router-segment-prefetch",
    "next-url",
    "next-action",
    "next-resume",
    "next-hmr-refresh",
    "x-nextjs-data",
    "x-nextjs-html-request-id",
    "x-nextjs-postponed",
    "x-middleware-subrequest",
    "x-middleware-rewrite",
    "x-invoke-path",
    "x-matched-path",
    "x-now-route-matches",
    "x-prerender-revalidate",
  ])("%s", async (name) => {
    for (const path of ["/sign-in", "/wallet", "/docs/errors", "/no/such/page"]) {
      const expected = (await send(`${sandboxUrl}${path}`)).status;
      for (const value of junk) {
        const page = await send(`${sandboxUrl}${path}`, { headers: { [name]: value } });
        expect({ name, value: value.slice(0, 9), path, status: page.status }).toMatchObject({ status: expected });
        const data = await sendAsRouter(path, { rsc: "1", [name]: value });
        expect({ name, value: value.slice(0, 9), path, isFault: data.status >= 500 }).toMatchObject({ isFault: false });
      }
    }
  });
});

test("an answer without a body has no Content-Length, and is complete before the announced request body arrives (RFC 9110 §8.6)", async () => {
  const answer = await sendRequest("GET /status/v1/summary.json HTTP/1.1", [["content-length", "10"]]);
  expect([answer.status, answer.headers.get("content-length")]).toEqual([307, "0"]);
  expect(answer.headers.get("transfer-encoding")).toBeNull();
});

describe("routes equivalent paths (RFC 3986 §6.2.2) to the same endpoint, not through Next", () => {
  const paths = ["/oauth/token", "/./up/../oauth/token", "/%6Fauth/%74oken", "/oauth/x/%2e%2E/token"];
  test.each(paths)("%s", async (path) => {
    const answer = await sendRequest(`POST ${path} HTTP/1.1`, [
      ["content-type", "text/plain"],
      ["content-length", "0"],
    ]);
    expectErrorOf("oauth", answer, 415);
  });

  test("refuses a path that names another host", async () => {
    expectProblem(await sendRequest("GET /..//evil.example/ HTTP/1.1"), 400, "invalid_request");
  });
});

describe("answers malformed messages with problem details and closes the connection (RFC 9112)", () => {
  const requests: Record<string, string> = {
    "garbage instead of a start line (§3)": "\x16\x03\x01\x02\x00 nothing\r\n\r\n",
    "an unknown version (§2.3)": request("GET / HTTP/9.9", [["host", host]]),
    "a line without a colon (§5)": `GET / HTTP/1.1\r\nhost: ${host}\r\nno colon\r\n\r\n`,
    "a space before the colon (§5.1)": `GET / HTTP/1.1\r\nhost: ${host}\r\nx : y\r\n\r\n`,
    "a NUL octet in a value (RFC 9110 §5.5)": `GET / HTTP/1.1\r\nhost: ${host}\r\nx: \0\r\n\r\n`,
    "Content-Length with Transfer-Encoding (§6.1)": request(
      "POST /oauth/token HTTP/1.1",
      [
        ["host", host],
        ["content-length", "3"],
        ["transfer-encoding", "chunked"],
      ],
      "0\r\n\r\n",
    ),
    "two values of Content-Length (§6.3)": request("POST /oauth/token HTTP/1.1", [
      ["host", host],
      ["content-length", "0"],
      ["content-length", "3"],
    ]),
    "an invalid chunk size (§7.1)": request(
      "POST /oauth/token HTTP/1.1",
      [
        ["host", host],
        ["transfer-encoding", "chunked"],
      ],
      "zz\r\nabc\r\n0\r\n\r\n",
    ),
  };
  test.each(Object.entries(requests))("%s answers 400", async (_, octets) => {
    expectProblem(await sendOctets(sandboxUrl, octets), 400, "invalid_request");
  });

  test("answers 431 to headers over 48 KiB (RFC 6585 §5)", async () => {
    const answer = await sendRequest("GET /healthz HTTP/1.1", [["x-long", "x".repeat(60_000)]]);
    expectProblem(answer, 431, "headers_too_large");
  });

  test("answers 413 to chunk extensions over 16 KiB (§7.1.1)", async () => {
    const body = `3;${"x".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`;
    const answer = await sendRequest("POST /oauth/token HTTP/1.1", [["transfer-encoding", "chunked"]], body);
    expectProblem(answer, 413, "body_too_large");
  });

  // Closing a connection with unread data resets it, and the client loses the answer.
  test.each(["GET /", "POST /oauth/token", "POST /merchant_test/charge"])(
    "delivers 413 each time for a body of one megabyte to %s (RFC 9112 §9.6)",
    async (address) => {
      const body = "z".repeat(1_000_000);
      const type = address.includes("token") ? "application/x-www-form-urlencoded" : "application/json";
      const fields: [string, string][] = [["content-length", String(body.length)]];
      if (address.startsWith("POST")) fields.push(["content-type", type]);
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => sendRequest(`${address} HTTP/1.1`, fields, body)),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
      }
    },
  );

  test("lets a caller finish sending slowly after an early answer (RFC 9112 §9.6)", async () => {
    const pieces = Array.from({ length: 5 }, () => "z".repeat(20_000));
    const head = request("POST /oauth/token HTTP/1.1", [
      ["host", host],
      ["content-type", "application/x-www-form-urlencoded"],
      ["content-length", String(pieces.join("").length)],
    ]);
    const slow = async function* () {
      yield head;
      for (const piece of pieces) {
        await sleep(600);
        yield piece;
      }
    };
    expect((await sendOctets(sandboxUrl, slow())).status).toBe(413);
  });

  test("the service stays ready", async () => {
    expect((await send(`${sandboxUrl}/readyz`)).status).toBe(200);
  });
});

test("ignores an unknown expectation (RFC 9110 §10.1.1)", async () => {
  const answer = await sendRequest("GET /healthz HTTP/1.1", [["expect", "the unexpected"]]);
  expectSound(answer);
  expect(answer.status).toBe(200);
});

describe("answers 405 with Allow to an unknown method, in the endpoint's own shape (RFC 9110 §15.5.6)", () => {
  test.each([
    { path: "/oauth/token", shape: "oauth", allow: "POST, OPTIONS" },
    { path: "/oauth/status-list/revocation-1", shape: "oauth", allow: "GET, HEAD, OPTIONS" },
    { path: "/merchant_test/charge", shape: "problem", allow: "POST, OPTIONS" },
    { path: "/sign-in", shape: "problem", allow: "GET, HEAD" },
  ] as const)("$path", async ({ path, shape, allow }) => {
    for (const method of ["PROPFIND", "TRACE", "QUERY"]) {
      const answer = await sendRequest(`${method} ${path} HTTP/1.1`);
      expectErrorOf(shape, answer, 405);
      expect(answer.headers.get("allow")).toBe(allow);
    }
  });
});

test("answers 405 with Allow to a page's query sent by POST (RFC 9110 §15.5.6)", async () => {
  const answer = await postJson(`${sandboxUrl}/api/trpc/wallet.mandates`, {});
  expectSound(answer);
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, POST");
});

describe("every answer has a request id (docs/spec/operations.md, Logs)", () => {
  test("in the pages' procedures, the answer's header and the error have the same id", async () => {
    const answer = await send(`${sandboxUrl}/api/trpc/wallet.mandates`);
    const { error } = answer.json as { error: { data: { requestId: string } } };
    expectSound(answer);
    expect(answer.headers.get("x-request-id")).toBe(error.data.requestId);
  });

  test("the pages' procedures answer 413 in their error format to a body that is too large", async () => {
    const answer = await postJson(`${sandboxUrl}/api/trpc/wallet.mandates`, "x".repeat(64 * 1024));
    const { error } = answer.json as { error: { data: { code: string; requestId: string } } };
    expectSound(answer);
    expect(answer.status).toBe(413);
    expect(error.data).toMatchObject({ code: "PAYLOAD_TOO_LARGE", requestId: answer.headers.get("x-request-id") });
  });

  test("the pages' procedures answer 415 in JSON to a body that isn't JSON", async () => {
    const init = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    const answer = await send(`${sandboxUrl}/api/trpc/wallet.mandates`, init);
    expectSound(answer);
    expect(answer.status).toBe(415);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.json).toHaveProperty("error.data");
  });

  test.each(["/", "/status", "/healthz", "/readyz", "/status/v1/summary", "/nothing"])(
    "the status process: %s",
    async (path) => {
      expectSound(await send(`${statusUrl}${path}`));
    },
  );
});
