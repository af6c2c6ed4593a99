import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import type { Answer } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import {
  authorize,
  type Code,
  type FapiClient,
  readResource,
  redeem,
  registerPair,
} from "../../../support/oauth/fapi-clients.ts";
import { charge, mandateIdOf } from "../../../support/oauth/mandate-flow.ts";
import { makeKey } from "../../../support/oauth/oauth-client.ts";
import { clientToken, postAs, registerAgent } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

let client: FapiClient;
let other: FapiClient;
beforeAll(async () => {
  [client, other] = await registerPair(sandboxUrl);
});

describe("RFC 6749 §4.1.3: a failed check doesn't consume the code (docs/spec/oauth.md, Authorization codes)", () => {
  const rows: [string, string, (code: Code) => Promise<Answer>][] = [
    [
      "another redirect_uri",
      "invalid_grant",
      (code) => redeem(client, code, { fields: { redirect_uri: "http://127.0.0.1:10/callback" } }),
    ],
    ["no redirect_uri", "invalid_request", (code) => redeem(client, code, { fields: { redirect_uri: undefined } })],
    [
      "no verifier (RFC 7636 §4.6)",
      "invalid_grant",
      (code) => redeem(client, code, { fields: { code_verifier: undefined } }),
    ],
    [
      "another client",
      "invalid_grant",
      (code) => redeem(other, code, { fields: { redirect_uri: client.redirectUri }, posting: { dpop: client.dpop } }),
    ],
    [
      "another key's proof (RFC 9449 §10)",
      "invalid_dpop_proof",
      async (code) => redeem(client, code, { posting: { dpop: await makeKey() } }),
    ],
    ["no proof (RFC 9449 §5)", "invalid_dpop_proof", (code) => redeem(client, code, { posting: {} })],
  ];
  test.each(rows)("%s: responds with %s, and the code still works", async (_name, error, attempt) => {
    const code = await authorize(client);
    expectOAuthError(await attempt(code), 400, error);
    expect((await redeem(client, code)).status).toBe(200);
  });
});

test("RFC 6749 §10.10: codes and refresh tokens have 256 bits, in characters that need no escaping", async () => {
  const code = await authorize(client);
  const granted = await redeem(client, code);
  for (const secret of [code.code, granted.json?.["refresh_token"]]) expect(secret).toMatch(/^[\w-]{43,}$/);
});

test("RFC 9449 §10: a code that PAR bound to a key requires that key, even if the client's tokens aren't bound", async () => {
  const metadata = { dpop_bound_access_tokens: false, redirect_uris: [client.redirectUri] };
  const bearer = { ...client, ...(await registerAgent(sandboxUrl, { metadata })) };
  const bound = await authorize(bearer);
  expectOAuthError(await redeem(bearer, bound, { posting: {} }), 400, "invalid_dpop_proof");
  expectOAuthError(await redeem(bearer, bound, { posting: { dpop: await makeKey() } }), 400, "invalid_dpop_proof");
  expect((await redeem(bearer, bound)).json).toMatchObject({ token_type: "DPoP" });
  const unbound = await authorize(bearer, {}, {});
  expect((await redeem(bearer, unbound, { posting: {} })).json).toMatchObject({ token_type: "Bearer" });
});

describe("RFC 6749 §4.1.2: a code is used once", () => {
  test("reuse by its own client revokes the tokens of the first use but not the mandate (docs/spec/oauth.md, Authorization codes)", async () => {
    const code = await authorize(client);
    const granted = await redeem(client, code);
    expectOAuthError(await redeem(client, code), 400, "invalid_grant");
    expectOAuthError(await readResource(client, granted), 401, "invalid_token");
    const refresh = { grant_type: "refresh_token", refresh_token: String(granted.json?.["refresh_token"]) };
    expectOAuthError(await postAs(client, "/oauth/token", { form: refresh, ...client }), 400, "invalid_grant");
    const merchantToken = await clientToken(client.merchant);
    const mandate = { merchant: client.merchant, merchantToken, mandateId: mandateIdOf(granted) };
    expect((await charge(mandate)).status).toBe(201);
  });

  test("reuse by another client revokes nothing (docs/spec/oauth.md, Authorization codes)", async () => {
    const code = await authorize(client);
    const granted = await redeem(client, code);
    const stolen = { redirect_uri: client.redirectUri };
    expectOAuthError(await redeem(other, code, { fields: stolen }), 400, "invalid_grant");
    expectOAuthError(await redeem(client, { ...code, verifier: "v".repeat(43) }), 400, "invalid_grant");
    expect((await readResource(client, granted)).status).toBe(200);
  });

  test("every authorization creates a new grant (docs/spec/oauth.md, Authorization codes)", async () => {
    const [one, two] = [await redeem(client, await authorize(client)), await redeem(client, await authorize(client))];
    expect(one.json?.["grant_id"]).not.toBe(two.json?.["grant_id"]);
    expect(mandateIdOf(one)).not.toBe(mandateIdOf(two));
    expect((await readResource(client, one)).status).toBe(200);
  });
});
