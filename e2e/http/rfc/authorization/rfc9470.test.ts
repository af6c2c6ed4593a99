import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { age } from "../../../support/ageing.ts";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { postForm, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { decide, openConsent } from "../../../support/oauth/consent-driver.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../../support/oauth/oauth-client.ts";
import {
  clientToken,
  type Merchant,
  type Party,
  postAs,
  registerAgent,
  registerMerchant,
} from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const password = "urn:paygrant:acr:password";
const payer = "payer@demo.paygrant.test";

let agent: Party;
let merchant: Merchant;
beforeAll(async () => {
  [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
});

/** A new session in which the payer authenticated `secondsAgo` seconds ago. */
const signIn = async (secondsAgo = 0, email = payer): Promise<string> => {
  const fields = { email, password: "paygrant-demo", return_to: "/wallet" };
  const answer = await postForm(`${sandboxUrl}/sign-in/session`, fields, { origin: sandboxUrl });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  if (secondsAgo > 0) await age("session", cookie.split("=")[1] ?? "", secondsAgo);
  return cookie;
};

const push = async (fields: Record<string, string>) => {
  const dpop = await makeKey();
  const { form, verifier } = flow.pushFields([flow.mandateDetails(merchant.merchantId)], fields);
  return { dpop, verifier, answer: await postAs(agent, "/oauth/par", { form, dpop }) };
};

/** URL of the consent page, to which /oauth/authorize redirects the browser. */
const openPage = async (requestUri: string): Promise<string> => {
  const query = new URLSearchParams({ client_id: agent.id, request_uri: requestUri });
  return (await send(`${sandboxUrl}/oauth/authorize?${query}`)).headers.get("location") ?? "";
};

const see = (url: string, cookie: string) => send(url, { headers: { cookie, accept: "text/html" } });

/** Next redirects by status code. If it has already begun to send the page, the page itself redirects. */
const leadsToSignIn = ({ status, text, headers }: Awaited<ReturnType<typeof see>>): boolean =>
  (headers.get("location") ?? (status === 200 ? text : "")).includes("/sign-in?return_to=%2Fconsent%2F");

const redeem = async (pushed: { dpop: Awaited<ReturnType<typeof makeKey>>; verifier: string }, location: string) => {
  const code = new URL(location).searchParams.get("code") ?? "";
  const form = flow.codeForm({ code, verifier: pushed.verifier });
  return postAs(agent, "/oauth/token", { form, dpop: pushed.dpop });
};

describe("RFC 9470 §5: max_age is enforced before consent is requested (OpenID Connect Core §3.1.2.1)", () => {
  const rows: [string, Record<string, string>, number, boolean][] = [
    ["an authentication 120 s ago, max_age 60", { max_age: "60" }, 120, false],
    ["an authentication 30 s ago, max_age 60", { max_age: "60" }, 30, true],
    ["an authentication 120 s ago, no max_age", {}, 120, true],
    [
      "an authentication 301 s ago, no max_age: consent requires one in the last 5 minutes (docs/spec/portal.md, Recent authentication)",
      {},
      301,
      false,
    ],
    [
      "an authentication 301 s ago, max_age 3600: consent still requires one in the last 5 minutes",
      { max_age: "3600" },
      301,
      false,
    ],
    ["an authentication 5 s ago, max_age 0", { max_age: "0" }, 5, false],
    ["an authentication 5 s ago, prompt login, which means max_age 0", { prompt: "login" }, 5, false],
    ["an authentication 30 s ago, prompt consent, which every request implies", { prompt: "consent" }, 30, true],
  ];
  test.each(rows)("%s", async (_title, fields, secondsAgo, isEnough) => {
    const cookie = await signIn(secondsAgo);
    const url = await openPage(textOf((await push(fields)).answer, "request_uri"));
    const page = await see(url, cookie);
    expect(leadsToSignIn(page)).toBe(!isEnough);
    expect(page.text.includes("form_token")).toBe(isEnough);
  });

  test("a new sign-in returns to the same request and satisfies max_age 0", async () => {
    const pushed = await push({ max_age: "0" });
    const requestUri = textOf(pushed.answer, "request_uri");
    const url = await openPage(requestUri);
    expect(leadsToSignIn(await see(url, await signIn(120)))).toBe(true);
    const cookie = await signIn();
    const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie);
    expect(page.url).toBe(url);
    const location = (await decide(page, cookie, { decision: "approve" })).headers.get("location") ?? "";
    const claims = decodeJwt(textOf(await redeem(pushed, location), "access_token"));
    expect(Math.abs(Number(claims["auth_time"]) - Date.now() / 1000)).toBeLessThan(60);
  });

  test("redirects a decision to the sign-in if the authentication became too old while the page was open", async () => {
    const pushed = await push({ max_age: "60" });
    const cookie = await signIn();
    const page = await openConsent(
      sandboxUrl,
      { clientId: agent.id, requestUri: textOf(pushed.answer, "request_uri") },
      cookie,
    );
    await age("session", cookie.split("=")[1] ?? "", 400);
    const location = (await decide(page, cookie, { decision: "approve" })).headers.get("location");
    expect(location).toContain("/sign-in?return_to=%2Fconsent%2F");
    expect(location).toContain("again=1");
  });

  test("refuses a decision by a payer who didn't open the page", async () => {
    const pushed = await push({ max_age: "60" });
    const requestUri = textOf(pushed.answer, "request_uri");
    const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, await signIn());
    const other = await signIn(0, "merchant@demo.paygrant.test");
    const location = (await decide(page, other, { decision: "approve" })).headers.get("location") ?? "";
    expect(location).toContain("error=consent_stale");
    expect(location).not.toContain("code=");
  });

  test.each(["-1", "1.5", "1e3", "soon", "9".repeat(10), " 60"])(
    "refuses max_age %j with invalid_request",
    async (max_age) => {
      expectOAuthError((await push({ max_age })).answer, 400, "invalid_request");
    },
  );
});

describe("RFC 9470 §5: one of acr_values must be satisfied", () => {
  const unmet = ["urn:paygrant:acr:retina", "phr phrh", "Urn:Paygrant:Acr:Password"];
  test.each(unmet)("responds with unmet_authentication_requirements when none is known: %s", async (acr_values) => {
    expectOAuthError((await push({ acr_values })).answer, 400, "unmet_authentication_requirements");
  });

  test.each([password, `urn:other:acr ${password}`, `${password}  urn:other:acr `])(
    "satisfies %j with the supported value",
    async (acr_values) => {
      const pushed = await push({ acr_values });
      expect(pushed.answer.status, pushed.answer.text).toBe(201);
      const cookie = await signIn();
      const requestUri = textOf(pushed.answer, "request_uri");
      const page = await openConsent(sandboxUrl, { clientId: agent.id, requestUri }, cookie);
      const location = (await decide(page, cookie, { decision: "approve" })).headers.get("location") ?? "";
      expect(decodeJwt(textOf(await redeem(pushed, location), "access_token"))["acr"]).toBe(password);
    },
  );

  test("metadata lists the values that can be satisfied (§7)", async () => {
    const metadata = (await send(`${sandboxUrl}/.well-known/oauth-authorization-server`)).json ?? {};
    for (const acr_values of metadata["acr_values_supported"] as string[]) {
      expect((await push({ acr_values })).answer.status).toBe(201);
    }
  });
});

describe("RFC 9470 §6: tokens contain how and when the payer authenticated", () => {
  test("the token and introspection contain auth_time and acr, and a refresh doesn't change them (§6.1, §6.2)", async () => {
    const granted = await flow.obtainMandate(agent, flow.mandateDetails(merchant.merchantId));
    const claims = decodeJwt(granted.accessToken);
    expect(claims).toMatchObject({ auth_time: expect.any(Number), acr: password });
    expect(Number(claims["auth_time"])).toBeLessThanOrEqual(Number(claims.iat));
    const introspection = await postAs(agent, "/oauth/introspect", { form: { token: granted.accessToken } });
    expect(introspection.json).toMatchObject({ auth_time: claims["auth_time"], acr: password });
    const refresh = { grant_type: "refresh_token", refresh_token: granted.refreshToken };
    const refreshed = await postAs(agent, "/oauth/token", { form: refresh, dpop: granted.dpop });
    expect(decodeJwt(textOf(refreshed, "access_token"))).toMatchObject({
      auth_time: claims["auth_time"],
      acr: password,
    });
  });

  test("a client's own token contains neither auth_time nor acr, because no payer signed in for it", async () => {
    const claims = decodeJwt(await clientToken(merchant));
    expect(claims).not.toHaveProperty("auth_time");
    expect(claims).not.toHaveProperty("acr");
  });
});

describe("RFC 9470 §3: a resource challenges a token whose payer authenticated too long ago", () => {
  const maxAgeSeconds = 180 * 24 * 3600;
  /** A mandate whose payer authenticated `seconds` ago, with a token that was just refreshed. */
  const refreshedAfter = async (seconds: number, scope?: string): Promise<flow.ChargeableMandate> => {
    const mandate = await flow.makeChargeableMandate(sandboxUrl, {}, scope === undefined ? {} : { scope });
    await age("payerAuthentication", mandate.refreshToken, seconds);
    const refresh = { grant_type: "refresh_token", refresh_token: mandate.refreshToken };
    const answer = await postAs(mandate.agent, "/oauth/token", { form: refresh, dpop: mandate.dpop });
    return { ...mandate, accessToken: textOf(answer, "access_token") };
  };
  const paths = ({ mandateId }: flow.ChargeableMandate) => [
    `/oauth/mandates/${mandateId}/charges`,
    `/oauth/mandates/${mandateId}/credential`,
  ];

  test("after 180 days: 401 with max_age, which the client pushes; after a new consent the same mandate is accepted (§4)", async () => {
    const mandate = await refreshedAfter(maxAgeSeconds + 60);
    let maxAge = "";
    for (const path of paths(mandate)) {
      const answer = await flow.agentGet(mandate, path);
      expectOAuthError(answer, 401, "insufficient_user_authentication");
      const challenge = answer.headers.get("www-authenticate") ?? "";
      expect(challenge).toMatch(/DPoP error="insufficient_user_authentication".*, Bearer error=/);
      maxAge = /max_age="(\d+)"/.exec(challenge)?.[1] ?? "";
      expect(maxAge).toBe(String(maxAgeSeconds));
    }
    const { merchant, mandateId, grantId, agent: client } = mandate;
    const details = { ...flow.mandateDetails(merchant.merchantId), identifier: mandateId };
    const fields = { grant_management_action: "replace", grant_id: grantId, max_age: maxAge };
    const renewed = { ...mandate, ...(await flow.obtainMandate(client, details, fields)) };
    expect(renewed.mandateId).toBe(mandateId);
    for (const path of paths(renewed)) expect((await flow.agentGet(renewed, path)).status).toBe(200);
  });

  test("reading a grant, which contains the payer's limits, is challenged too, and works after a new consent", async () => {
    const scope = "grant_management_query";
    const mandate = await refreshedAfter(maxAgeSeconds + 60, scope);
    const path = `/oauth/grants/${mandate.grantId}`;
    const challenged = await flow.agentGet(mandate, path);
    expectOAuthError(challenged, 401, "insufficient_user_authentication");
    expect(challenged.headers.get("www-authenticate")).toContain(`max_age="${maxAgeSeconds}"`);
    const { merchant, mandateId, grantId, agent: client } = mandate;
    const details = { ...flow.mandateDetails(merchant.merchantId), identifier: mandateId };
    const fields = { grant_management_action: "replace", grant_id: grantId, max_age: String(maxAgeSeconds), scope };
    const renewed = { ...mandate, ...(await flow.obtainMandate(client, details, fields)) };
    expect((await flow.agentGet(renewed, path)).json).toMatchObject({
      authorization_details: [{ identifier: mandateId }],
    });
  });

  test("accepts the token within 180 days; the challenge to a request without a token has no max_age", async () => {
    // The payer may have signed in at the beginning of a long test run.
    const mandate = await refreshedAfter(maxAgeSeconds - 3600);
    for (const path of paths(mandate)) {
      expect((await flow.agentGet(mandate, path)).status).toBe(200);
      const unauthenticated = await send(`${sandboxUrl}${path}`);
      expect(unauthenticated.headers.get("www-authenticate")).not.toContain("max_age");
    }
  });

  test("never challenges the revocation of a grant, even if the authentication is old", async () => {
    const mandate = await refreshedAfter(2 * maxAgeSeconds, "grant_management_revoke");
    const { accessToken } = mandate;
    const url = `${sandboxUrl}/oauth/grants/${mandate.grantId}`;
    const proof = await signProof(mandate.dpop, { method: "DELETE", url, accessToken });
    const answer = await send(url, {
      method: "DELETE",
      headers: { authorization: `DPoP ${accessToken}`, dpop: proof },
    });
    expect(answer.status).toBe(204);
  });
});
