import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, makePayer, type TestClient } from "#e2e/support/factories.ts";
import { submitConsent } from "#e2e/support/oauth/authorization-flow.ts";
import {
  assertionType,
  formBody,
  makeKey,
  makePkce,
  type Signer,
  signAssertion,
  signProof,
} from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { authorizeByFormEndpoint, authorizeEndpoint } from "../../endpoints/oauth/authorize.ts";
import { introspectEndpoint } from "../../endpoints/oauth/introspect.ts";
import { parEndpoint } from "../../endpoints/oauth/par.ts";
import { tokenEndpoint } from "../../endpoints/oauth/token.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId } from "../../kernel/ids.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import { sealConsentForm } from "../consent/consent-form.ts";
import type { ConsentView } from "../consent/consent-view.ts";
import { loadConsentRequest } from "../consent/load-consent-request.ts";

let deps: TestDeps;
let client: TestClient;
let payer: { id: string; paymentMethodId: string };
let merchantId: string;
let key: Signer;

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const redirectUri = "http://127.0.0.1:4567/callback";

beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  client = await makeAgentClient(deps);
  payer = await makePayer(deps);
  merchantId = (await makeMerchant(deps)).id;
  key = await makeKey();
});
afterAll(() => deps.close());

const handlers = {
  "/oauth/par": mount(parEndpoint).POST,
  "/oauth/token": mount(tokenEndpoint).POST,
  "/oauth/introspect": mount(introspectEndpoint).POST,
};

const post = async (path: keyof typeof handlers, fields: Record<string, string>, proof: string | null = null) => {
  const request = new Request(`${deps.config.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...(proof ? { dpop: proof } : {}) },
    body: formBody({
      client_assertion_type: assertionType,
      client_assertion: await signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() }),
      ...fields,
    }),
  });
  const response = await handlers[path](request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
};

const proofFor = (path: string, signer = key) =>
  signProof(signer, { url: `${deps.config.baseUrl}${path}`, now: deps.clock.now() });

const details = () => [
  {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 6000,
    max_total_amount: 100_000,
    payees: [{ id: merchantId }],
  },
];

const session = (): SessionContext => ({
  sessionId: newId("ses"),
  account: { id: payer.id, email: "", displayName: "", operatorRole: null, locale: "en-GB", timeZone: "UTC" },
  authTime: deps.clock.now(),
  acr: "urn:paygrant:acr:password",
  hasSecondFactor: false,
});

const push = async (fields: Record<string, string> = {}) => {
  const pkce = makePkce();
  const response = await post(
    "/oauth/par",
    {
      response_type: "code",
      redirect_uri: redirectUri,
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      state: "xyz",
      authorization_details: JSON.stringify(details()),
      ...fields,
    },
    await proofFor("/oauth/par"),
  );
  return { ...response, pkce };
};

const open = async (requestUri: string) => {
  const query = new URLSearchParams({ client_id: client.id, request_uri: requestUri });
  const response = await mount(authorizeEndpoint, authorizeByFormEndpoint).GET(
    new Request(`${deps.config.baseUrl}/oauth/authorize?${query}`),
  );
  return { status: response.status, handle: response.headers.get("location")?.split("/").pop() ?? "" };
};

const formTokenOf = (view: ConsentView, who: SessionContext) =>
  sealConsentForm(deps, { session: who, view, page: { text: "Let Grocer Bot pay for you?", locale: "en-GB" } });

const decide = async (handle: string, decision: "approve" | "decline", narrowings: Narrowing[] = []) => {
  const who = session();
  const lookup = await loadConsentRequest(deps, { handle, session: who });
  if (lookup.kind !== "ready") throw new Error(lookup.kind);
  const outcome = await submitConsent(deps, {
    handle,
    formToken: formTokenOf(lookup.view, who),
    session: who,
    info,
    decision: {
      decision,
      paymentMethodId: payer.paymentMethodId,
      narrowings,
      budgetVisible: false,
    },
  });
  if (outcome.kind !== "redirect") throw new Error(outcome.kind);
  return new URL(outcome.location);
};

/** Reads a page, then sends its decision while a `change` of the client is being committed. */
const decideWhile = async (change: object, decision: "approve" | "decline") => {
  const { handle } = await open((await push({ scope: "grant_management_query" })).body.request_uri);
  let answer: Promise<unknown> = Promise.resolve();
  await deps.db.transaction(async (tx) => {
    await tx.client.update({ where: { id: client.id }, data: { ...change, version: { increment: 1 } } });
    answer = decide(handle, decision).catch((error: { code?: string }) => error.code);
    await expect.poll(isWaitingForLock).toBe(true);
  });
  return answer;
};

const isWaitingForLock = async () =>
  (
    await deps.db.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM client%FOR SHARE%'`
  ).length > 0;

const authorize = async () => {
  const pushed = await push();
  const { handle } = await open(pushed.body.request_uri);
  const back = await decide(handle, "approve");
  return { code: back.searchParams.get("code") ?? "", verifier: pushed.pkce.verifier, back };
};

const exchange = async (code: string, verifier: string) =>
  post(
    "/oauth/token",
    { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri },
    await proofFor("/oauth/token", key),
  );

describe("authorization code with PAR, PKCE, DPoP and RAR", () => {
  test("goes from a pushed request to a bound token that names the mandate", async () => {
    const pushed = await push();
    expect([pushed.status, pushed.body.expires_in]).toEqual([201, 300]);
    const { status, handle } = await open(pushed.body.request_uri);
    expect(status).toBe(303);
    const back = await decide(handle, "approve");
    expect(back.searchParams.get("iss")).toBe(deps.config.baseUrl);
    expect(back.searchParams.get("state")).toBe("xyz");
    const token = await exchange(back.searchParams.get("code") ?? "", pushed.pkce.verifier);
    expect(token.status).toBe(200);
    expect(token.headers.get("cache-control")).toBe("no-store");
    expect(token.body).toMatchObject({ token_type: "DPoP", expires_in: 300 });
    expect(token.body.authorization_details[0]).toMatchObject({
      type: "payment_mandate_v1",
      max_amount_per_payment: 6000,
    });
    expect(token.body.authorization_details[0].identifier).toMatch(/^mdt_/);
    expect(decodeProtectedHeader(token.body.access_token)).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    const claims = decodeJwt(token.body.access_token);
    expect(claims).toMatchObject({
      iss: deps.config.baseUrl,
      aud: deps.config.baseUrl,
      client_id: client.id,
      env: "sandbox",
    });
    expect(claims.sub).not.toContain(payer.id);
  });

  test("only one of 50 concurrent requests redeems a code; the others end the tokens of the code, but not the mandate", async () => {
    const { code, verifier } = await authorize();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe("invalid_grant");
    const token = answers.find(({ status }) => status === 200)?.body;
    const introspection = await post("/oauth/introspect", { token: token.access_token });
    expect(introspection.body).toEqual({ active: false });
    const mandate = await deps.db.prisma.mandate.findUnique({
      where: { id: token.authorization_details[0].identifier },
    });
    expect(mandate?.state).toBe("active");
  });

  test("a request is completed once, even with concurrent approvals", async () => {
    const pushed = await push();
    const { handle } = await open(pushed.body.request_uri);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => decide(handle, "approve")));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await open(pushed.body.request_uri)).status).toBe(400);
  });

  describe("a page's form is valid only for its own session, payer, request and text (docs/spec/oauth.md, Authorization endpoint)", () => {
    const pageView = async () => {
      const who = session();
      const { handle } = await open((await push()).body.request_uri);
      const lookup = await loadConsentRequest(deps, { handle, session: who });
      if (lookup.kind !== "ready") throw new Error(lookup.kind);
      return { who, handle, formToken: formTokenOf(lookup.view, who) };
    };
    const approve = ({ who, handle, formToken }: Awaited<ReturnType<typeof pageView>>) => {
      const { paymentMethodId } = payer;
      const decision = { decision: "approve", paymentMethodId, narrowings: [], budgetVisible: false } as const;
      return submitConsent(deps, { handle, formToken, session: who, info, decision });
    };
    type PageView = Awaited<ReturnType<typeof pageView>>;
    const others: [string, (page: PageView) => Promise<PageView>][] = [
      ["another session of the same payer", async (page) => ({ ...page, who: session() })],
      [
        "another payer",
        async (page) => ({ ...page, who: { ...page.who, account: { ...page.who.account, id: newId("acc") } } }),
      ],
      ["another request", async (page) => ({ ...page, handle: (await pageView()).handle })],
      [
        "the same request after its payee was renamed",
        async (page) => {
          await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: { displayName: newId("mch") } });
          return page;
        },
      ],
      [
        "the same request after its client was renamed",
        async (page) => {
          await deps.db.prisma.client.update({
            where: { id: client.id },
            data: { name: newId("cl_test"), version: { increment: 1 } },
          });
          return page;
        },
      ],
    ];
    test.each(others)("not for %s", async (_title, change) => {
      const page = await pageView();
      await expect(approve(await change(page))).rejects.toMatchObject({ code: "consent_stale" });
      expect(await approve(await pageView())).toMatchObject({ kind: "redirect" });
    });
  });

  test.each(["approve", "decline"] as const)(
    "%s is refused if the client's redirect URI, grant type, scope or details type was removed while the payer decided (RFC 7592 §2.2)",
    async (decision) => {
      const registered = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: client.id } });
      const { redirectUris, grantTypes, scopes } = registered;
      const metadata = registered.metadata as object;
      const grants = () => deps.db.prisma.grant.count({ where: { clientId: client.id } });
      const before = await grants();
      for (const change of [
        { redirectUris: ["https://bot.example/other"] },
        { grantTypes: ["refresh_token"] },
        { scopes: ["grant_management_revoke"] },
        { metadata: { ...metadata, authorization_details_types: [] } },
      ]) {
        expect(await decideWhile(change, decision)).toBe("consent_gone");
        await deps.db.prisma.client.update({
          where: { id: client.id },
          data: { redirectUris, grantTypes, scopes, metadata, version: { increment: 1 } },
        });
      }
      expect(await grants()).toBe(before);
    },
  );

  test("the exact text that the payer saw is stored, with the decision and the lowered limits", async () => {
    const pushed = await push();
    const { handle } = await open(pushed.body.request_uri);
    await decide(handle, "approve", [{ max_total_amount: 5000 }]);
    const kept = await deps.db.prisma.consent.findFirstOrThrow({
      orderBy: { createdAt: "desc" },
      where: { text: { contains: "5000" } },
    });
    expect(kept.text).toMatch(/^Let Grocer Bot pay for you\?\nApproved, paying with Visa ending in 4242\./);
    expect(kept.textHash).toBe(sha256Base64url(kept.text));
  });

  test.each([["2035-01-01T00:00:00Z"], ["2001-01-01T00:00:00Z"]])(
    "refuses the end %s, which is not between now and the mandate's end",
    async (until) => {
      const pushed = await push();
      const { handle } = await open(pushed.body.request_uri);
      await expect(decide(handle, "approve", [{ valid_until: until }])).rejects.toMatchObject({
        errors: [{ pointer: expect.stringContaining("valid_until") }],
      });
      expect((await open(pushed.body.request_uri)).status).toBe(303);
    },
  );

  test("max_age 0 requires a new sign-in for this request (RFC 9470 §5)", async () => {
    const before = session();
    deps.clock.advance(1);
    const pushed = await push({ max_age: "0" });
    const { handle } = await open(pushed.body.request_uri);
    expect(await loadConsentRequest(deps, { handle, session: before })).toEqual({ kind: "sign_in" });
    deps.clock.advance(20);
    const fresh = session();
    deps.clock.advance(20);
    expect((await loadConsentRequest(deps, { handle, session: fresh })).kind).toBe("ready");
  });

  test("consent requires a sign-in within the last five minutes", async () => {
    const pushed = await push();
    const { handle } = await open(pushed.body.request_uri);
    const old = { ...session(), authTime: new Date(deps.clock.now().getTime() - 301_000) };
    expect(await loadConsentRequest(deps, { handle, session: old })).toEqual({ kind: "sign_in" });
  });
});

describe("private_key_jwt (RFC 7523, FAPI 2.0 §5.3.2.1)", () => {
  test("one assertion, sent 50 times concurrently, authenticates once", async () => {
    const assertion = await signAssertion(client, deps.config.baseUrl, { now: deps.clock.now() });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post("/oauth/introspect", { token: "x", client_assertion: assertion })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 401 && body.error === "invalid_client")).toHaveLength(49);
  });

  test("after a change of keys, the new keys are accepted immediately, and the old keys are refused", async () => {
    const introspect = async (as: TestClient) => {
      const assertion = await signAssertion(as, deps.config.baseUrl, { now: deps.clock.now() });
      return (await post("/oauth/introspect", { token: "x", client_assertion: assertion })).status;
    };
    const changing = await makeAgentClient(deps);
    expect(await introspect(changing)).toBe(200);
    const next = await makeKey();
    await deps.db.prisma.client.update({
      where: { id: changing.id },
      data: { jwks: { keys: [{ ...next.publicJwk }] as object[] }, version: { increment: 1 } },
    });
    expect(await introspect({ ...changing, privateKey: next.privateKey })).toBe(200);
    expect(await introspect(changing)).toBe(401);
    await deps.db.prisma.client.update({ where: { id: changing.id }, data: { deletedAt: deps.clock.now() } });
    expect(await introspect({ ...changing, privateKey: next.privateKey })).toBe(401);
  });

  test("refuses a cached key that another process has replaced", async () => {
    const changing = await makeAgentClient(deps);
    const introspect = async () => {
      const assertion = await signAssertion(changing, deps.config.baseUrl, { now: deps.clock.now() });
      return (await post("/oauth/introspect", { token: "x", client_assertion: assertion })).status;
    };
    expect(await introspect()).toBe(200);
    const next = await makeKey();
    await deps.db.prisma.client.update({
      where: { id: changing.id },
      data: { jwks: { keys: [{ ...next.publicJwk }] as object[] }, version: { increment: 1 } },
    });
    expect(await introspect()).toBe(401);
  });
});
