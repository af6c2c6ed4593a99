import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../support/answers/error-shape.ts";
import { postJson, send, textOf } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { signIn } from "../support/oauth/consent-driver.ts";
import * as flow from "../support/oauth/mandate-flow.ts";
import { makeKey, signAssertion } from "../support/oauth/oauth-client.ts";
import {
  clientToken,
  type Merchant,
  makeInitialAccessToken,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../support/oauth/parties.ts";
import { listPayments } from "../support/peers/simulator-ledger.ts";
import { waitUntil } from "../support/wait-until.ts";

const { productionUrl, sandboxUrl } = currentInstance();

const authorized = async (kind: "agent" | "merchant") => {
  const { token } = await makeInitialAccessToken("production", kind);
  return { headers: { authorization: `Bearer ${token}` } };
};

let agent: Party;
let merchant: Merchant;
let live: flow.ChargeableMandate;
beforeAll(async () => {
  agent = await registerAgent(productionUrl, await authorized("agent"));
  merchant = await registerMerchant(productionUrl, await authorized("merchant"));
  const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
  live = { agent, merchant, merchantToken: await clientToken(merchant), ...granted };
});

/** The same client, but its requests go to the sandbox. */
const atSandbox = <P extends Party>(party: P): P => ({ ...party, baseUrl: sandboxUrl });

describe("production's objects work in production", () => {
  test("a token makes a charge, and metadata.simulate is ordinary metadata (docs/spec/payments.md, Simulator)", async () => {
    for (const simulate of ["decline:lost_card", "whatever"]) {
      const answer = await flow.charge(live, { metadata: { simulate } });
      expect(answer.status, answer.text).toBe(201);
    }
    expect(await listPayments("production", merchant.merchantId)).toHaveLength(2);
  });
});

describe("the sandbox refuses production's objects (docs/spec/oauth.md, Key separation)", () => {
  test("refuses access tokens of clients and of mandates", async () => {
    expectProblem(
      await flow.merchantGet({ ...live, merchant: atSandbox(merchant) }, "/merchant_test/charges"),
      401,
      "invalid_token",
    );
    const answer = await flow.agentGet(
      { ...live, agent: atSandbox(agent) },
      `/oauth/mandates/${live.mandateId}/charges`,
    );
    expectOAuthError(answer, 401, "invalid_token");
  });

  test("refuses clients, whether the assertion names the sandbox or production", async () => {
    for (const audience of [sandboxUrl, productionUrl]) {
      const client_assertion = await signAssertion(merchant, audience);
      const answer = await postAs(atSandbox(merchant), "/oauth/token", {
        form: {
          grant_type: "client_credentials",
          client_assertion,
        },
      });
      expectOAuthError(answer, 401, "invalid_client");
    }
  });

  test("reports production's tokens as inactive at introspection", async () => {
    const sandboxed = await registerAgent(sandboxUrl);
    for (const token of [live.accessToken, live.refreshToken, live.merchantToken]) {
      expect((await postAs(sandboxed, "/oauth/introspect", { form: { token } })).text).toBe('{"active":false}');
    }
  });

  test("refuses refresh tokens, codes and mandate ids", async () => {
    const [sandboxed, shop] = [await registerAgent(sandboxUrl), await flow.makeChargeableMandate(sandboxUrl)];
    const refreshed = { grant_type: "refresh_token", refresh_token: live.refreshToken };
    expectOAuthError(
      await postAs(sandboxed, "/oauth/token", { form: refreshed, dpop: live.dpop }),
      400,
      "invalid_grant",
    );
    expectProblem(await flow.charge({ ...shop, mandateId: live.mandateId }), 404, "mandate_not_found");
  });

  test("refuses production's merchants as payees", async () => {
    const sandboxed = await registerAgent(sandboxUrl);
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    expectOAuthError(await postAs(sandboxed, "/oauth/par", { form }), 400, "invalid_authorization_details");
  });

  test("refuses a session of production's wallet", async () => {
    const sandboxed = await registerAgent(sandboxUrl);
    const shop = await registerMerchant(sandboxUrl);
    const { form } = flow.pushFields([flow.mandateDetails(shop.merchantId)]);
    const requestUri = textOf(await postAs(sandboxed, "/oauth/par", { form }), "request_uri");
    const query = new URLSearchParams({ client_id: sandboxed.id, request_uri: requestUri });
    const page = (await send(`${sandboxUrl}/oauth/authorize?${query}`)).headers.get("location") ?? "";
    const cookie = await signIn(productionUrl);
    for (const sent of [cookie, cookie.replace("__Host-pg_live", "__Host-pg_test")]) {
      const answer = await send(page, { headers: { cookie: sent, accept: "text/html" } });
      expect(answer.headers.get("location")).toContain("/sign-in");
    }
  });

  test("refuses initial access tokens", async () => {
    const { headers } = await authorized("agent");
    const metadata = { redirect_uris: ["https://bot.example/cb"], jwks: { keys: [(await makeKey()).publicJwk] } };
    expectOAuthError(await postJson(`${sandboxUrl}/oauth/register`, metadata, headers), 401, "invalid_token");
  });

  const register = (keys: object[]) =>
    postJson(`${sandboxUrl}/oauth/register`, { redirect_uris: ["https://bot.example/cb"], jwks: { keys } });

  test("refuses production's signing keys as client keys", async () => {
    const jwks = await send(`${productionUrl}/.well-known/jwks.json`);
    for (const key of (jwks.json as { keys: object[] } | null)?.keys ?? []) {
      expectOAuthError(await register([key]), 400, "invalid_client_metadata");
    }
  });

  test("a key of a production client can't be registered under any kid, and a sandbox client that registered the key earlier is refused", async () => {
    const shared = await makeKey();
    const sandboxed = await registerMerchant(sandboxUrl, { key: shared });
    const requestToken = () => postAs(sandboxed, "/oauth/token", { form: { grant_type: "client_credentials" } });
    expect((await requestToken()).status).toBe(200);
    await registerMerchant(productionUrl, { key: shared, ...(await authorized("merchant")) });
    // The sandbox fetches production's signed list of keys each minute. Until then, it accepts the key.
    await waitUntil(async () => (await requestToken()).status === 401);
    expectOAuthError(await requestToken(), 401, "invalid_client");
    const { kid: _kid, ...key } = agent.publicJwk;
    for (const keys of [
      [agent.publicJwk],
      [key],
      [(await makeKey("own")).publicJwk, { ...key, kid: "second" }],
      [shared.publicJwk],
    ]) {
      expectOAuthError(await register(keys), 400, "invalid_client_metadata");
    }
  });
});

describe("production refuses the sandbox's objects", () => {
  test("refuses tokens, clients and mandates", async () => {
    const sandboxed = await flow.makeChargeableMandate(sandboxUrl);
    const atProduction = { ...sandboxed.merchant, baseUrl: productionUrl };
    expectProblem(
      await flow.merchantGet({ ...sandboxed, merchant: atProduction }, "/merchant_test/charges"),
      401,
      "invalid_token",
    );
    expectOAuthError(
      await postAs(atProduction, "/oauth/token", { form: { grant_type: "client_credentials" } }),
      401,
      "invalid_client",
    );
    expectProblem(await flow.charge({ ...live, mandateId: sandboxed.mandateId }), 404, "mandate_not_found");
  });
});

test("only the service's own user can read the files of DATA_DIR", async () => {
  const { dataDirectory } = currentInstance();
  const open: string[] = [];
  const look = async (directory: string): Promise<void> => {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      const info = await stat(name).catch(() => null);
      if (info && (info.mode & 0o077) !== 0)
        open.push(`${path.relative(dataDirectory, name)} ${info.mode.toString(8)}`);
      if (entry.isDirectory()) await look(name);
    }
  };
  await look(dataDirectory);
  expect(open).toEqual([]);
  expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
});
