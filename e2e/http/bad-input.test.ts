import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorOf, expectProblem, expectSound } from "../support/answers/error-shape.ts";
import { fillPath, isStatus, listOperations, type Operation } from "../support/answers/openapi-operations.ts";
import { type Answer, formType, send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { type ChargeableMandate, makeChargeableMandate } from "../support/oauth/mandate-flow.ts";
import { assertionType, signAssertion, signProof } from "../support/oauth/oauth-client.ts";
import { clientToken, type Party, registerAgent, registerMerchant } from "../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const operations = (await listOperations(sandboxUrl)).filter((operation) => !isStatus(operation));
const statusOperations = (await listOperations(sandboxUrl)).filter(isStatus);
const withBody = operations.filter(({ content }) => content !== null);
const paths = [...new Map(operations.map((operation) => [operation.path, operation])).values()];

let mandate: ChargeableMandate;
/** The client whose registration may be changed. No other test uses it. */
let spare: Party;
let billingToken: string;
let directoryToken: string;
beforeAll(async () => {
  // The token has every scope that the operations require, so that a refusal is about the input.
  mandate = await makeChargeableMandate(sandboxUrl, {}, { scope: "grant_management_query grant_management_revoke" });
  spare = await registerAgent(sandboxUrl);
  billingToken = await clientToken(
    await registerMerchant(sandboxUrl, { metadata: { scope: "billing.read billing.write" } }),
  );
  directoryToken = await clientToken(await registerMerchant(sandboxUrl, { metadata: { scope: "directory.write" } }));
});

const addressOf = ({ path }: Operation, values: Record<string, string> = {}) =>
  `${sandboxUrl}${fillPath(path, {
    mandate_id: mandate.mandateId,
    list_id: "revocation-1",
    client_id: spare.id,
    ...values,
  })}`;

type Sent = { headers: Record<string, string>; body: string };

/** Authenticates the caller as the operation requires, so that a refusal is about the input. */
const authenticate = async (operation: Operation, url: string, sent: Sent): Promise<Sent> => {
  const { agent, dpop, accessToken, merchantToken } = mandate;
  if (operation.security === "privateKeyJwt") {
    const fields = { client_assertion_type: assertionType, client_assertion: await signAssertion(agent, sandboxUrl) };
    return { ...sent, body: `${new URLSearchParams(fields)}&${sent.body}` };
  }
  if (operation.security === "none") return sent;
  if (operation.security === "registrationAccessToken") {
    const token = spare.registration["registration_access_token"];
    return { ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } };
  }
  if (operation.path.startsWith("/merchant_test/")) {
    return {
      ...sent,
      headers: { authorization: `Bearer ${merchantToken}`, "idempotency-key": "bad-input", ...sent.headers },
    };
  }
  if (operation.path.startsWith("/billing/")) {
    return { ...sent, headers: { authorization: `Bearer ${billingToken}`, ...sent.headers } };
  }
  if (operation.path.startsWith("/directory/")) {
    return { ...sent, headers: { authorization: `Bearer ${directoryToken}`, "if-match": "*", ...sent.headers } };
  }
  const proof = await signProof(dpop, { method: operation.method, url: url.split("?")[0] ?? "", accessToken });
  return { ...sent, headers: { authorization: `DPoP ${accessToken}`, dpop: proof, ...sent.headers } };
};

/** The Origin is our own, so that the wallet's forms check the input and don't refuse the request as cross-site. */
const sendRequest = async (
  operation: Operation,
  sent: Partial<Sent> = {},
  { values = {}, query = "" }: { values?: Record<string, string>; query?: string } = {},
) => {
  const url = addressOf(operation, values) + query;
  const { headers, body } = await authenticate(operation, url, { headers: {}, body: "", ...sent });
  return send(url, {
    method: operation.method,
    headers: { origin: sandboxUrl, ...headers },
    ...(operation.content ? { body } : {}),
  });
};

const typeOf = (operation: Operation) => ({ "content-type": operation.content ?? "" });

describe("answers 415 to a wrong content type (docs/spec/product.md, Invalid requests)", () => {
  describe.each(withBody)("$title", (operation) => {
    const others = ["text/plain", "application/xml", operation.content === formType ? "application/json" : formType];
    test.each([...others, "multipart/form-data; boundary=x"])("%s", async (type) => {
      const answer = await sendRequest(operation, { headers: { "content-type": type }, body: "{}" });
      expectErrorOf(operation.errorShape, answer, 415);
    });
  });
});

describe("answers 413 to a body over 64 KiB, or over the endpoint's own limit if that is larger (docs/spec/product.md, Invalid requests)", () => {
  test.each(withBody)("$title, with Content-Length", async (operation) => {
    const large = "x".repeat(operation.maxBodyBytes + 1);
    const answer = await sendRequest(operation, { headers: typeOf(operation), body: large });
    expectErrorOf(operation.errorShape, answer, 413);
  });

  test.each(withBody)("$title, in chunks without Content-Length", async (operation) => {
    const url = addressOf(operation);
    const { headers } = await authenticate(operation, url, { headers: typeOf(operation), body: "" });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let part = 0; part < 9; part++) {
          controller.enqueue(new TextEncoder().encode("y".repeat(operation.maxBodyBytes / 8)));
        }
        controller.close();
      },
    });
    const init = {
      method: operation.method,
      headers: { origin: sandboxUrl, ...headers },
      body,
      duplex: "half" as const,
    };
    const response = await fetch(url, init);
    const text = await response.text();
    expectErrorOf(
      operation.errorShape,
      { status: response.status, headers: response.headers, text, json: tryParse(text) },
      413,
    );
  });
});

const tryParse = (text: string): Answer["json"] => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

describe("answers 405 with Allow to a wrong method (docs/spec/product.md, Invalid requests; RFC 9110 §15.5.6)", () => {
  describe.each(paths)("$path", (operation) => {
    const wrong = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !operation.allowed.includes(method));
    test.each(wrong)("%s", async (method) => {
      const answer = await send(addressOf(operation), { method, headers: { origin: sandboxUrl } });
      expectErrorOf(operation.errorShape, answer, 405);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...operation.allowed].sort());
    });

    test("lists the methods in the answer to OPTIONS", async () => {
      const answer = await send(addressOf(operation), { method: "OPTIONS" });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...operation.allowed].sort());
    });
  });
});

describe("answers 404 to an unknown path, in the error format of its API (docs/spec/product.md, Invalid requests)", () => {
  const oauth = [
    "/oauth",
    "/oauth/nothing",
    "/oauth/token/more",
    "/oauth/token/",
    "/oauth//token",
    "/.well-known/nothing",
    "/directory/federation/nothing",
    "/directory/.well-known/nothing",
  ];
  const problem = [
    "/merchant_test",
    "/merchant_test/nothing",
    "/merchant_test/charges/a/b",
    "/api/nothing",
    "/billing/nothing",
    "/directory/v1/nothing",
    "/directory/log/nothing",
    "/directory/log/tile/entries",
  ];
  const rows = [
    ...oauth.map((path) => ({ path, shape: "oauth" as const })),
    ...problem.map((path) => ({ path, shape: "problem" as const })),
  ];
  test.each(rows)("$path", async ({ path, shape }) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expectErrorOf(shape, await send(`${sandboxUrl}${path}`, { method }), 404);
    }
  });

  test("an unknown path that belongs to no API gets an HTML page", async () => {
    const answer = await send(`${sandboxUrl}/no-such-page`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  });
});

describe("answers 415 to a compressed body and names the accepted encodings (docs/spec/product.md, Invalid requests; RFC 9110 §12.5.3)", () => {
  test.each(withBody)("$title", async (operation) => {
    const headers = { ...typeOf(operation), "content-encoding": "gzip" };
    const answer = await sendRequest(operation, { headers, body: gzipSync("{}").toString("latin1") });
    expectErrorOf(operation.errorShape, answer, 415);
    expect(answer.headers.get("accept-encoding")).toBe("identity");
  });

  test("the pages' procedures also answer 415, but accept the encoding identity (RFC 9110 §8.4)", async () => {
    const post = (coding: string) =>
      send(`${sandboxUrl}/api/trpc/wallet.revoke`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": coding, origin: sandboxUrl },
        body: "{}",
      });
    const refused = await post("gzip");
    expect([refused.status, refused.text]).toEqual([415, expect.stringContaining("UNSUPPORTED_MEDIA_TYPE")]);
    expect((await post("identity")).status).not.toBe(415);
  });
});

/** Monitors, feed readers and scripts add their own cache buster (docs/spec/product.md, Invalid requests). */
const ignoresOthers = ({ path }: Operation) =>
  path === "/healthz" ||
  path === "/readyz" ||
  /\/feed\.|\.ics$|\/api\/v2\/|\/unsubscribe$/.test(path) ||
  isBundleFile(path);

const isBundleFile = (path: string): boolean => path.startsWith("/cdn/") && !path.includes("/status-badge.");

const pointersOf = ({ json }: Answer) =>
  ((json as { errors?: { pointer: string }[] } | null)?.errors ?? []).map(({ pointer }) => pointer);

describe("the REST API names the unknown member or parameter that it refuses (docs/spec/product.md, Invalid requests)", () => {
  const rest = operations.filter(({ errorShape }) => errorShape === "problem");

  test.each(rest.filter((operation) => !ignoresOthers(operation)))(
    "$title: an unknown query parameter",
    async (operation) => {
      const body = operation.content === "application/json" ? "{}" : "";
      const headers = operation.content ? typeOf(operation) : {};
      for (const query of ["?unknown_parameter=1", "?unknown_parameter="]) {
        const answer = await sendRequest(operation, { headers, body }, { query });
        expectErrorOf("problem", answer, 400);
        expect(pointersOf(answer)).toContain("#unknown_parameter");
      }
    },
  );

  test.each(rest.filter(({ queryParameters }) => queryParameters.length > 0))(
    "$title: a repeated query parameter",
    async (operation) => {
      const [name] = operation.queryParameters;
      expect(pointersOf(await sendRequest(operation, {}, { query: `?${name}=1&${name}=1` }))).toEqual([`#${name}`]);
    },
  );

  test.each(rest.filter(({ content }) => content !== null))(
    "$title: an unknown member of the body",
    async (operation) => {
      const body = operation.content === formType ? "unknown_member=1" : '{"unknown_member":1}';
      const answer = await sendRequest(operation, { headers: typeOf(operation), body });
      expectErrorOf("problem", answer, 400);
      expect(pointersOf(answer)).toContain("/unknown_member");
    },
  );

  test("OAuth endpoints, and endpoints that third-party tools read, ignore an unknown parameter (RFC 6749 §3.1)", async () => {
    const open = ["/.well-known/oauth-authorization-server", "/oauth/status-list", "/healthz", "/readyz"];
    for (const path of open) expect((await send(`${sandboxUrl}${path}?unknown_parameter=1`)).status).toBe(200);
  });
});

describe("checks integers by their JSON text, not by the parsed number (docs/spec/product.md, Requests and responses)", () => {
  const charge = (change: (body: string) => string) => {
    const operation = withBody.find(({ path }) => path === "/merchant_test/charge");
    if (!operation) throw new Error("no such operation");
    const fields = { mandate_id: mandate.mandateId, amount: 5000, currency: "EUR", payer_presence: "in_session" };
    return sendRequest(operation, { headers: typeOf(operation), body: change(JSON.stringify(fields)) });
  };

  test.each(["4999.9999999999999999", "5000.0", "5e3", "5000.0000000000000001", "9007199254740993"])(
    "answers 400 to an amount of %s and names the field",
    async (amount) => {
      const answer = await charge((body) => body.replace("5000", amount));
      expectErrorOf("problem", answer, 400);
      expect(new Set(pointersOf(answer))).toEqual(new Set(["/amount"]));
    },
  );

  test("asks for upper case when a currency is in lower case", async () => {
    const answer = await charge((body) => body.replace("EUR", "eur"));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("upper case")]);
  });

  test("lists the possible values when metadata.simulate is misspelled (docs/spec/payments.md, Simulator)", async () => {
    const answer = await charge((body) => body.replace("}", ',"metadata":{"simulate":"webhook_lots"}}'));
    expect([answer.status, pointersOf(answer)]).toEqual([400, ["/metadata/simulate"]]);
    expect(answer.text).toContain("decline:<decline_code>, requires_action, timeout_before_accept");
  });
});

describe("answers 400 to input that it cannot parse (docs/spec/product.md, Invalid requests)", () => {
  const forms = withBody.filter(({ content }) => content === formType);
  const jsons = withBody.filter(({ content }) => content === "application/json");

  test.each(forms)("$title: a repeated parameter (RFC 6749 §3.1, §3.2)", async (operation) => {
    for (const body of ["state=a&state=b", "state=a&state=a", "state=&state=", "unknown=1&unknown=2"]) {
      expectErrorOf(operation.errorShape, await sendRequest(operation, { headers: typeOf(operation), body }), 400);
    }
  });

  describe.each(jsons)("$title", (operation) => {
    test.each(["{", "{'a':1}", "[1,]", "NaN", '{"a":1}{}', "\u0000"])("malformed JSON: %j", async (body) => {
      expectErrorOf(operation.errorShape, await sendRequest(operation, { headers: typeOf(operation), body }), 400);
    });
    test.each([
      "",
      "null",
      "[]",
      "1",
      '"text"',
      "{}",
      `${"[".repeat(32_000)}${"]".repeat(32_000)}`,
      '{"__proto__":{"a":1}}',
    ])("JSON of another shape: %.20s", async (body) => {
      // A capture or refund of the full amount, or a request for a default token, needs no body. The response then
      // reports the missing charge or participant.
      const isWhole =
        (body === "{}" || body === "") && /\/(capture|void|refunds|initial-access-tokens)$/.test(operation.path);
      const expected = isWhole ? 404 : 400;
      expectErrorOf(operation.errorShape, await sendRequest(operation, { headers: typeOf(operation), body }), expected);
    });
  });

  test.each(withBody)("$title: bytes that aren't UTF-8", async (operation) => {
    const url = addressOf(operation);
    const { headers } = await authenticate(operation, url, { headers: typeOf(operation), body: "" });
    const response = await fetch(url, {
      method: operation.method,
      headers: { origin: sandboxUrl, ...headers },
      body: Buffer.from([0x61, 0x3d, 0xc3, 0x28, 0xff]),
    });
    const text = await response.text();
    expectErrorOf(
      operation.errorShape,
      { status: response.status, headers: response.headers, text, json: tryParse(text) },
      400,
    );
  });

  // OpenID Federation 1.0, Subordinate Listing Request: entity_type may be repeated.
  const takesRepeated = ({ path }: { path: string }) => path === "/directory/federation/list";
  const withParameters = operations.filter(
    ({ queryParameters, errorShape }) => queryParameters.length > 0 && errorShape !== "page",
  );

  test.each(withParameters.filter((operation) => !takesRepeated(operation)))(
    "$title: a repeated query parameter",
    async (operation) => {
      const [name] = operation.queryParameters;
      expectErrorOf(operation.errorShape, await sendRequest(operation, {}, { query: `?${name}=1&${name}=1` }), 400);
    },
  );
});

describe("no input causes a server error (docs/spec/product.md, Invalid requests)", () => {
  const nasty = [
    "\u0000",
    "a\u0000b",
    "\ud800",
    "%",
    "..",
    "'; DROP TABLE charge; --",
    "\u202e",
    "x".repeat(5000),
    "-1",
    "1e400",
    "[object Object]",
  ];

  test.each(operations.filter(({ pathParameters }) => pathParameters.length > 0))(
    "$title: path parameters",
    async (operation) => {
      for (const value of nasty.filter((text) => text !== "..")) {
        const values = Object.fromEntries(operation.pathParameters.map((name) => [name, value.toWellFormed()]));
        expectSound(await sendRequest(operation, { headers: operation.content ? typeOf(operation) : {} }, { values }));
      }
      expectSound(await send(`${addressOf(operation).replace(/[^/]+$/, "")}%zz`, { method: operation.method }));
    },
  );

  test.each(operations.filter(({ queryParameters }) => queryParameters.length > 0))(
    "$title: query parameters",
    async (operation) => {
      for (const value of nasty) {
        for (const name of operation.queryParameters) {
          expectSound(
            await sendRequest(operation, {}, { query: `?${name}=${encodeURIComponent(value.toWellFormed())}` }),
          );
        }
      }
      expectSound(await sendRequest(operation, {}, { query: "?%zz=%zz&=&&" }));
    },
  );

  test.each(withBody.filter(({ content }) => content === formType))("$title: every form field", async (operation) => {
    for (const field of [...operation.body.members, "unknown_field"]) {
      for (const value of nasty) {
        const body = new URLSearchParams({ [field]: value.toWellFormed() }).toString();
        expectSound(await sendRequest(operation, { headers: typeOf(operation), body }));
      }
    }
  });
});

describe("no JSON input causes a server error (docs/spec/product.md, Invalid requests)", () => {
  const values = [
    null,
    true,
    -1,
    0,
    1.5,
    1e30,
    -0,
    "",
    "\u0000",
    "\ud800",
    "x".repeat(5000),
    [],
    {},
    ["\u0000"],
    { "\u0000": "\udfff" },
  ];
  /** Client metadata that the OpenAPI document doesn't list: some of these members are ignored, the others are checked. */
  const otherMetadata = [
    "client_name#de",
    "registration_access_token",
    "merchant_id",
    "response_types",
    "authorization_details_types",
  ];
  const isRegistration = ({ path }: Operation) => path.startsWith("/oauth/register");
  const rows = withBody
    .filter(({ content }) => content === "application/json")
    .flatMap((operation) =>
      [...operation.body.members, ...(isRegistration(operation) ? otherMetadata : [])].map((member) => ({
        title: operation.title,
        member,
        operation,
      })),
    );

  test.each(rows)("$title: $member", async ({ operation, member }) => {
    const jwks = { keys: [spare.publicJwk] };
    const whole = isRegistration(operation)
      ? { client_name: "Any", redirect_uris: ["http://127.0.0.1:9/callback"], jwks }
      : operation.body.example;
    for (const value of values) {
      const body = JSON.stringify({ ...whole, [member]: value });
      expectSound(await sendRequest(operation, { headers: typeOf(operation), body }));
    }
  });
});

describe("the status process, to which every other process redirects (docs/spec/product.md, Invalid requests)", () => {
  const follow = async (path: string, method: string) => {
    const redirect = await send(`${sandboxUrl}${path}`, { method });
    expect(redirect.status).toBe(307);
    expectSound(redirect);
    return send(redirect.headers.get("location") ?? "", { method });
  };
  test.each(statusOperations)("$title", async ({ path: template, method, allowed, content, queryParameters }) => {
    const path = fillPath(template, { component: "sandbox" });
    const answer = await follow(path, method);
    // Sent without a body and without the token that identifies the subscription.
    if (content) expectProblem(answer, 415);
    else if (queryParameters.includes("token")) expectProblem(answer, 400);
    else expect(answer.status).toBe(200);
    expectSound(answer);
    for (const wrong of ["POST", "PUT", "PATCH", "DELETE"].filter((name) => !allowed.includes(name))) {
      const refused = await follow(path, wrong);
      expectProblem(refused, 405);
      expect(refused.headers.get("allow")).toContain(method);
    }
    if (path.startsWith("/status/v1/")) expectProblem(await follow(`${path}/more`, method), 404, "not_found");
  });
});

describe("the status process names the unknown parameter that it refuses (docs/spec/product.md, Invalid requests)", () => {
  const addressOfStatus = async (path: string) => {
    const redirect = await send(`${sandboxUrl}${path}`, { method: "GET" });
    return redirect.headers.get("location") ?? "";
  };

  test.each(statusOperations)("$title: a query parameter", async (operation) => {
    const { method, content, queryParameters } = operation;
    const token = queryParameters.includes("token") ? "&token=x" : "";
    const path = `${fillPath(operation.path, { component: "sandbox" })}?unknown_parameter=1${token}`;
    const answer = await send(await addressOfStatus(path), {
      method,
      ...(content ? { headers: { "content-type": content }, body: "{}" } : {}),
    });
    if (ignoresOthers(operation)) expect(answer.text).not.toContain("unknown_parameter");
    else expect([answer.status, pointersOf(answer)]).toEqual([400, ["#unknown_parameter"]]);
  });

  test.each(statusOperations.filter(({ content }) => content !== null))(
    "$title: an unknown member, a gzip body",
    async (operation) => {
      const url = await addressOfStatus(operation.path);
      const post = (body: string, headers: Record<string, string> = {}) =>
        send(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
      // `component` is misspelled. If it were ignored, the request would subscribe to all components.
      const answer = await post('{"kind":"email","address":"a@example.com","token":"x","component":["sandbox"]}');
      expectProblem(answer, 400);
      expect(pointersOf(answer)).toContain("/component");
      const compressed = await post("{}", { "content-encoding": "gzip" });
      expectProblem(compressed, 415);
      expect(compressed.headers.get("accept-encoding")).toBe("identity");
    },
  );
});

describe("no malformed URL of a page causes a server error (docs/spec/product.md, Invalid requests)", () => {
  test.each([
    "/consent/%00",
    "/consent/unknown",
    "/sign-in?return_to=%00",
    "/sign-in?error=%00&error=x",
    "/sign-in?error=__proto__",
    "/wallet/mandates/%E0%A4%A",
    "/consent/%ED%A0%80",
    "/%00",
    "/%zz",
    "/demo?code=%00",
  ])("%s", async (path) => {
    expectSound(await send(`${sandboxUrl}${path}`, { headers: { accept: "text/html" } }));
  });
});

describe("pages accept only reads (docs/spec/product.md, Invalid requests)", () => {
  test.each(["POST", "PUT", "DELETE"])("%s answers 405 with Allow (RFC 9110 §15.5.6)", async (method) => {
    const answer = await send(`${sandboxUrl}/wallet`, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the pages' procedures answer with typed errors (docs/spec/product.md, Invalid requests)", () => {
  const headers = { "content-type": "application/json", origin: sandboxUrl };
  const post = (body: string) => send(`${sandboxUrl}/api/trpc/wallet.revoke`, { method: "POST", headers, body });

  test("answers 413 to a body over 64 KiB", async () => {
    const answer = await post(JSON.stringify({ mandateId: "m".repeat(65_536) }));
    expect([answer.status, answer.text]).toEqual([413, expect.stringContaining("PAYLOAD_TOO_LARGE")]);
  });

  test.each([JSON.stringify({ mandateId: "\0" }), JSON.stringify({ mandateId: "\ud800" }), "{"])(
    "%j: 400",
    async (body) => {
      const answer = await post(body);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("BAD_REQUEST")]);
    },
  );

  test("answers 400 if one request calls more procedures than a page does", async () => {
    const paths = Array.from({ length: 21 }, () => "wallet.mandates").join(",");
    expect((await send(`${sandboxUrl}/api/trpc/${paths}?batch=1`)).status).toBe(400);
  });
});

describe("answers 401 to missing or invalid credentials (docs/spec/product.md, Invalid requests)", () => {
  const bare = (operation: Operation, headers: Record<string, string>, body: string) =>
    send(addressOf(operation), {
      method: operation.method,
      headers: { ...(operation.content ? typeOf(operation) : {}), ...headers },
      ...(operation.content ? { body } : {}),
    });

  describe.each(operations.filter(({ security }) => security === "accessToken"))("$title", (operation) => {
    const tokens = [
      "",
      "Bearer",
      "Bearer x",
      "Bearer a.b.c",
      "Bearer eyJhbGciOiJub25lIn0.e30.",
      "DPoP x",
      "Basic dTpw",
      "bearer  x y",
      "\u00e9",
    ];
    test.each(tokens)("Authorization: %s", async (authorization) => {
      const answer = await bare(operation, authorization ? { authorization } : {}, "{}");
      expectErrorOf(operation.errorShape, answer, 401);
      expect(answer.headers.get("www-authenticate")).toMatch(/DPoP .*Bearer .*resource_metadata=/);
    });
  });

  describe.each(operations.filter(({ security }) => security === "registrationAccessToken"))("$title", (operation) => {
    test.each(["", "Bearer", "Bearer x", "DPoP x", "Basic dTpw", "bearer  x y", "\u00e9"])(
      "Authorization: %s",
      async (authorization) => {
        const answer = await bare(operation, authorization ? { authorization } : {}, "{}");
        expectErrorOf(operation.errorShape, answer, 401);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
      },
    );
  });

  describe.each(operations.filter(({ security }) => security === "privateKeyJwt"))("$title", (operation) => {
    const type = `client_assertion_type=${encodeURIComponent(assertionType)}`;
    const bodies = [
      "",
      type,
      `${type}&client_assertion=x`,
      `${type}&client_assertion=a.b.c`,
      "client_assertion_type=x&client_assertion=y",
      "client_id=x&client_secret=y",
      `${type}&client_assertion=eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.`,
    ];
    test.each(bodies)("%s", async (body) => {
      expectErrorOf(operation.errorShape, await bare(operation, {}, body), 401);
    });
    test("answers 401 to client_secret_basic, with WWW-Authenticate of that scheme (RFC 6749 §5.2)", async () => {
      const answer = await bare(operation, { authorization: "Basic dTpw" }, "a=b");
      expectErrorOf(operation.errorShape, answer, 401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    });
  });
});
