import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectOAuthError, expectProblem } from "../support/answers/error-shape.ts";
import { postJson, send, textOf } from "../support/answers/wire.ts";
import { command } from "../support/command.ts";
import { forgetSessions, startSession } from "../support/oauth/consent-driver.ts";
import * as flow from "../support/oauth/mandate-flow.ts";
import { clientToken, postAs, registerMerchant } from "../support/oauth/parties.ts";
import { listRole } from "../support/processes.ts";
import { sharedService } from "../support/shared-service.ts";

/** Two web processes per environment. */
const service = sharedService();

const kidsOf = async (baseUrl: string): Promise<string[]> => {
  const { keys } = JSON.parse((await send(`${baseUrl}/.well-known/jwks.json`)).text) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid).sort();
};
const isSignedIn = async (baseUrl: string, cookie: string): Promise<boolean> =>
  (await send(`${baseUrl}/wallet`, { headers: { cookie, accept: "text/html" } })).status === 200;
/** Two processes accept connections in turn, so both have answered after several requests. */
const fourTimes = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 4 }, ask));

describe("npm run sandbox:reset (docs/spec/sandbox.md, Reset)", () => {
  test("every process refuses earlier tokens, clients, requests, registrations, sessions and keys", async () => {
    const mandate = await flow.makeChargeableMandate(service.sandboxUrl);
    const { agent, merchant, merchantToken, dpop, refreshToken } = mandate;
    const { form } = flow.pushFields([flow.mandateDetails(merchant.merchantId)]);
    const requestUri = textOf(await postAs(agent, "/oauth/par", { form, dpop }), "request_uri");
    const [oldCookie, productionCookie] = await Promise.all([
      startSession(service.sandboxUrl),
      startSession(service.productionUrl),
    ]);
    const clockUrl = `${service.sandboxUrl}/sandbox/clock`;
    const now = Date.parse(textOf(await send(clockUrl), "now"));
    const to = new Date(now + 40 * 86_400_000).toISOString();
    expect((await postJson(clockUrl, { advance_to: to })).status).toBe(200);
    const [oldKids, productionKids] = await Promise.all([kidsOf(service.sandboxUrl), kidsOf(service.productionUrl)]);
    const web = await listRole(service.dataDirectory, "web");

    expect(await command(service.environment, "sandbox-reset")).toMatch(/the sandbox was reset$/);

    const newKids = await kidsOf(service.sandboxUrl);
    expect(newKids.filter((kid) => oldKids.includes(kid))).toEqual([]);
    const stranger = await registerMerchant(service.sandboxUrl);
    for (const token of [mandate.accessToken, merchantToken, refreshToken]) {
      for (const introspected of await fourTimes(() => postAs(stranger, "/oauth/introspect", { form: { token } }))) {
        expect(introspected.json).toEqual({ active: false });
      }
    }
    for (const answer of await fourTimes(() => flow.charge(mandate))) expectProblem(answer, 401, "invalid_token");
    expect((await flow.agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/charges`)).status).toBe(401);
    for (const party of [agent, merchant]) {
      const again = () => postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" } });
      for (const answer of await fourTimes(again)) expectOAuthError(answer, 401, "invalid_client");
    }
    const refresh = { grant_type: "refresh_token", refresh_token: refreshToken };
    expectOAuthError(await postAs(agent, "/oauth/token", { form: refresh, dpop }), 401, "invalid_client");
    const query = new URLSearchParams({ client_id: agent.id, request_uri: requestUri });
    const authorize = await send(`${service.sandboxUrl}/oauth/authorize?${query}`, {
      headers: { accept: "text/html" },
    });
    expect(authorize.status).toBe(400);
    const { registration_client_uri: uri, registration_access_token: registration } = agent.registration;
    const configuration = await send(String(uri), { headers: { authorization: `Bearer ${registration}` } });
    expect(configuration.status).toBe(401);
    expect(await fourTimes(() => isSignedIn(service.sandboxUrl, oldCookie))).toEqual([false, false, false, false]);
    const clock = await send(clockUrl);
    expect(clock.json).toMatchObject({ ahead_seconds: 0 });

    // Production isn't affected, and no process was restarted.
    expect(await kidsOf(service.productionUrl)).toEqual(productionKids);
    expect(await isSignedIn(service.productionUrl, productionCookie)).toBe(true);
    expect((await listRole(service.dataDirectory, "web")).sort()).toEqual(web.sort());
  });

  test("the demo data is loaded again and works: sign-in, consent, a charge that its processor accepts", async () => {
    forgetSessions();
    const mandate = await flow.makeChargeableMandate(service.sandboxUrl);
    const answer = await flow.charge(mandate, {}, randomUUID());
    expect(answer.status, answer.text).toBe(201);
    expect(await isSignedIn(service.sandboxUrl, await startSession(service.sandboxUrl))).toBe(true);
    expect(await clientToken(mandate.merchant)).toMatch(/^ey/);
    expect(await command(service.environment, "check-invariants")).toMatch(/sandbox: \d+ invariants hold$/);
  });
});
