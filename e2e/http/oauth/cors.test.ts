import { describe, expect, test } from "vitest";
import { type Answer, send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { makeKey } from "../../support/oauth/oauth-client.ts";
import { postAs, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const origin = "https://app.example";

const allowedOf = ({ headers }: Answer, name: string): string[] =>
  (headers.get(`access-control-${name}`) ?? "").toLowerCase().split(", ");

const expectReadable = (answer: Answer): void => {
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  const exposed = ["dpop-nonce", "www-authenticate", "retry-after", "ratelimit", "ratelimit-policy"];
  expect(allowedOf(answer, "expose-headers")).toEqual(expect.arrayContaining(exposed));
};

describe("endpoints that pages of any origin can call without credentials (docs/spec/oauth.md, Cross-origin requests; Fetch §3.3)", () => {
  const paths: [string, string][] = [
    ["POST", "/oauth/par"],
    ["POST", "/oauth/token"],
    ["POST", "/oauth/register"],
    ["POST", "/oauth/revoke"],
    ["POST", "/oauth/introspect"],
    ["PUT", "/oauth/register/cl_test_any"],
  ];

  test.each(paths)("%s %s allows a preflight with every header that callers need", async (method, path) => {
    const headers = {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,dpop",
    };
    const answer = await send(`${sandboxUrl}${path}`, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expectReadable(answer);
    expect(allowedOf(answer, "allow-methods")).toContain(method.toLowerCase());
    // Without credentials the wildcard means every header except Authorization.
    expect(allowedOf(answer, "allow-headers")).toEqual(["*", "authorization"]);
  });

  test.each(paths)("%s %s lets scripts read its errors", async (method, path) => {
    const json = { origin, "content-type": "application/json" };
    const form = { origin, "content-type": "application/x-www-form-urlencoded" };
    for (const [headers, body] of [
      [json, "{"] as const,
      [form, "a=1&a=2"] as const,
      [json, " ".repeat(65_537)] as const,
    ]) {
      const answer = await send(`${sandboxUrl}${path}`, { method, headers, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectReadable(answer);
    }
    const wrongMethod = await send(`${sandboxUrl}${path}`, { method: "PATCH", headers: { origin } });
    expect(wrongMethod.status).toBe(405);
    expectReadable(wrongMethod);
  });

  test("lets scripts read the nonce for the next proof in a token response", async () => {
    const merchant = await registerMerchant(sandboxUrl);
    const posting = { dpop: await makeKey(), headers: { origin } };
    const answer = await postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials" }, ...posting });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("dpop-nonce")).toBeTruthy();
    expectReadable(answer);
  });
});

test.each(["/oauth/authorize", "/oauth/grants/grt_any", "/merchant_test/charge", "/sign-in/session"])(
  "%s allows no other origin",
  async (path) => {
    for (const method of ["OPTIONS", "GET", "POST"]) {
      const answer = await send(`${sandboxUrl}${path}`, { method, headers: { origin } });
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  },
);
