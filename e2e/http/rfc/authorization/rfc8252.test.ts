import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postJson, send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { decide, openConsent, signIn } from "../../../support/oauth/consent-driver.ts";
import { approve, type FapiClient, push, redeem, registerPair } from "../../../support/oauth/fapi-clients.ts";
import { makeKey } from "../../../support/oauth/oauth-client.ts";
import { makeInitialAccessToken, registerAgent } from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();

let client: FapiClient;
beforeAll(async () => {
  const [first] = await registerPair(sandboxUrl);
  const redirect_uris = ["http://127.0.0.1:8080/callback", "http://[::1]/six?a=b", "http://127.0.0.1/no-port"];
  const party = await registerAgent(sandboxUrl, { metadata: { redirect_uris } });
  client = { ...first, ...party };
});

describe("RFC 8252 §7.3: a native app chooses the port of a loopback IP at each request", () => {
  test.each([
    "http://127.0.0.1:8080/callback",
    "http://127.0.0.1:51004/callback",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:80/callback",
    "http://127.0.0.1:1/no-port",
    "http://[::1]:61023/six?a=b",
    "http://[::1]/six?a=b",
  ])("accepts %s", async (redirect_uri) => {
    expect((await push(client, { redirect_uri })).answer.status).toBe(201);
  });

  test.each([
    "http://127.0.0.1:8080/callback/",
    "http://127.0.0.1:8080/callback?a",
    "http://127.0.0.1:8080/",
    "http://127.0.0.1:/callback",
    "http://127.0.0.1:99999/callback",
    "http://127.0.0.1:08080/callback#",
    "http://127.0.0.1:-1/callback",
    "http://127.0.0.1:8080@evil.example/callback",
    "http://user@127.0.0.1:8080/callback",
    "http://127.0.0.1.evil.example:8080/callback",
    "http://127.0.0.2:8080/callback",
    "http://127.1:8080/callback",
    "http://0x7f.0.0.1:8080/callback",
    "http://2130706433:8080/callback",
    "http://[::ffff:127.0.0.1]:8080/callback",
    "http://[0:0:0:0:0:0:0:1]:8080/six?a=b",
    "http://[::1]:8080/callback",
    "http://localhost:8080/callback",
    "https://127.0.0.1:8080/callback",
    "HTTP://127.0.0.1:8080/callback",
  ])("refuses %s: only the port may differ", async (redirect_uri) => {
    expectOAuthError((await push(client, { redirect_uri })).answer, 400, "invalid_request");
  });

  test("redirects to the port of the request, which the token request must repeat (RFC 6749 §4.1.3)", async () => {
    const redirect_uri = "http://127.0.0.1:51004/callback";
    const pushed = await push(client, { redirect_uri });
    const code = { ...pushed, code: (await approve(client, pushed)).get("code") ?? "" };
    const registered = { redirect_uri: "http://127.0.0.1:8080/callback" };
    expectOAuthError(await redeem(client, code, { fields: registered }), 400, "invalid_grant");
    expect((await redeem(client, code, { fields: { redirect_uri } })).status).toBe(200);
  });
});

describe("RFC 8252 §8.3: only the sandbox allows http://localhost, for developers' machines (docs/spec/oauth.md, Client registration)", () => {
  const redirect_uri = "http://localhost:8080/callback?a=b";
  const metadata = { redirect_uris: [redirect_uri] };

  test("the sandbox registers an http://localhost address and redirects to it", async () => {
    const local = { ...client, ...(await registerAgent(sandboxUrl, { metadata })), redirectUri: redirect_uri };
    expect(local.registration).toMatchObject(metadata);
    const pushed = await push(local);
    const cookie = await signIn(sandboxUrl);
    const page = await openConsent(sandboxUrl, { clientId: local.id, requestUri: pushed.requestUri }, cookie);
    const { status, headers } = await decide(page, cookie, { decision: "approve" });
    expect([status, headers.get("location")]).toEqual([
      303,
      expect.stringMatching(`^${redirect_uri.replace("?", "[?]")}&code=`),
    ]);
    const code = new URL(headers.get("location") ?? "").searchParams.get("code") ?? "";
    expect((await redeem(local, { ...pushed, code })).status).toBe(200);
  });

  test("the sandbox also compares the port of an http://localhost address", async () => {
    const local = { ...client, ...(await registerAgent(sandboxUrl, { metadata })) };
    for (const other of ["http://localhost:8081/callback?a=b", "http://127.0.0.1:8080/callback?a=b"]) {
      expectOAuthError((await push(local, { redirect_uri: other })).answer, 400, "invalid_request");
    }
  });

  test("production refuses an http://localhost address at registration and in PUT", async () => {
    const initial = await makeInitialAccessToken("production", "agent");
    const headers = { authorization: `Bearer ${initial.token}` };
    const problem =
      "redirect_uris: a URI must be https, or http on a loopback IP address: use http://127.0.0.1, not localhost";
    const { publicJwk } = await makeKey();
    const body = { ...metadata, jwks: { keys: [publicJwk] } };
    const refused = await postJson(`${productionUrl}/oauth/register`, body, headers);
    expectOAuthError(refused, 400, "invalid_redirect_uri");
    expect(refused.json?.["error_description"]).toBe(problem);
    const { registration } = await registerAgent(productionUrl, { headers });
    const changed = await send(String(registration["registration_client_uri"]), {
      method: "PUT",
      headers: {
        authorization: `Bearer ${registration["registration_access_token"]}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ ...registration, ...metadata }),
    });
    expectOAuthError(changed, 400, "invalid_redirect_uri");
    expect(changed.json?.["error_description"]).toBe(problem);
  });
});
