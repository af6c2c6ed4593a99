import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { consentDecisionEndpoint } from "../../endpoints/oauth/consent-decision.ts";
import { consentPaymentMethodEndpoint } from "../../endpoints/oauth/consent-payment-method.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { cancelDeletion } from "../../privacy/cancel-deletion.ts";
import { requestDeletion } from "../../privacy/request-deletion.ts";
import { keepDraft } from "./consent-draft.ts";
import { loadConsentRequest } from "./load-consent-request.ts";

const details = [
  { type: "payment_mandate_v1", actions: ["verify", "charge"], currency: "EUR", max_amount_per_payment: 5_000 },
];

let deps: TestDeps;
let flow: Awaited<ReturnType<typeof authorizationOf>>;
let clientId: string;
let otherPayerId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
  const client = await makeAgentClient(deps);
  clientId = client.id;
  flow = await authorizationOf(deps, { client, payer: await makePayer(deps) });
  otherPayerId = (await makePayer(deps)).id;
});
afterAll(() => deps.close());

const open = async (items: readonly object[] = details) => {
  const { handle, verifier } = await flow.startAuthorization(items, { state: "s1" });
  const session = flow.session();
  const page = await flow.read(handle, session);
  const lookUp = (who = session) => loadConsentRequest(deps, { handle, session: who });
  const another = await flow.read(handle, session);
  return { ...page, another, handle, verifier, session, lookUp };
};
const consents = async (sessionId: string) => deps.db.prisma.consent.count({ where: { sessionId } });

describe.each(["approve", "decline"] as const)(
  "a form that is sent repeatedly: %s (docs/spec/oauth.md, Authorization endpoint)",
  (decision) => {
    test("if it is sent 12 times concurrently, there is one decision, and all requests get the same redirect", async () => {
      const page = await open();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => page.answer(decision)));
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(outcomes[0]).toMatchObject({ kind: "redirect", location: expect.stringContaining("state=s1&iss=") });
      expect(await consents(page.session.sessionId)).toBe(1);
    });

    test("if it is sent again within the code's 60 seconds, it gets the same redirect, and the page offers this redirect too", async () => {
      const page = await open();
      const first = await page.answer(decision);
      deps.clock.advance(59);
      expect(await page.answer(decision)).toEqual(first);
      expect(await page.lookUp()).toMatchObject({ reason: "completed", answer: { decision, ...locationOf(first) } });
    });

    test("after 60 seconds, the page shows the decision and has no redirect", async () => {
      const page = await open();
      await page.answer(decision);
      deps.clock.advance(60);
      await expect(page.answer(decision)).rejects.toMatchObject({ code: "consent_gone" });
      expect(await page.lookUp()).toMatchObject({ reason: "completed", answer: { decision, location: null } });
    });

    const others: [string, (page: Awaited<ReturnType<typeof open>>) => Promise<unknown>][] = [
      ["the other decision", (page) => page.answer(decision === "approve" ? "decline" : "approve")],
      ["other limits", (page) => page.answer(decision, { narrowings: [{ max_amount_per_payment: 100 }] })],
      ["another payment method", (page) => page.answer(decision, { paymentMethodId: "pm_other" })],
      ["another form of the same session", (page) => page.another.answer(decision)],
      ["another session of the payer", (page) => page.answer(decision, {}, flow.session())],
      ["another payer", (page) => page.answer(decision, {}, flow.session(otherPayerId))],
    ];
    test.each(others)("%s: nothing is decided and there is no redirect", async (_title, send) => {
      const page = await open();
      await page.answer(decision);
      await expect(send(page)).rejects.toMatchObject({ code: "consent_gone" });
      expect(await consents(page.session.sessionId)).toBe(1);
    });

    test("the decision is shown only to its payer, and the redirect only to the session that decided", async () => {
      const page = await open();
      await page.answer(decision);
      const answer = async (who = page.session) => Reflect.get(await page.lookUp(who), "answer");
      expect(await answer(flow.session())).toMatchObject({ decision, location: null });
      expect(await answer(flow.session(otherPayerId))).toBeNull();
    });
  },
);

const locationOf = (outcome: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["answer"]>>) =>
  outcome.kind === "redirect" ? { location: outcome.location } : {};

test("a used code isn't sent again", async () => {
  const page = await open();
  const code = flow.codeOf(await page.answer("approve"));
  expect((await flow.exchange(code, page.verifier)).status).toBe(200);
  await expect(page.answer("approve")).rejects.toMatchObject({ code: "consent_gone" });
  expect(await page.lookUp()).toMatchObject({ answer: { decision: "approve", location: null } });
});

test("the code is stored sealed and hashed, never in plain text", async () => {
  const page = await open();
  const code = flow.codeOf(await page.answer("approve"));
  const row = await deps.db.prisma.pushedRequest.findFirstOrThrow({ where: { handle: page.handle } });
  expect(row.answerSealed).toBeTruthy();
  expect(JSON.stringify(row)).not.toContain(code);
});

test("every node reports the decision", async () => {
  const page = await open();
  const first = await page.answer("approve");
  const node = await anotherNode(deps);
  try {
    const found = await loadConsentRequest(node, { handle: page.handle, session: page.session });
    expect(found).toMatchObject({ answer: locationOf(first) });
  } finally {
    await node.close();
  }
});

test("nothing can be approved while the deletion of the account is pending; afterwards, the same form works", async () => {
  const page = await open();
  const { id } = page.session.account;
  const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id } });
  await requestDeletion(deps, { account, requestId: "req_test" });
  await expect(page.answer("approve")).rejects.toMatchObject({ code: "account_deletion_pending" });
  expect(await consents(page.session.sessionId)).toBe(0);
  await cancelDeletion(deps, { account, requestId: "req_test" });
  expect(flow.codeOf(await page.answer("approve"))).not.toBe("");
});

describe("a request that can no longer be approved redirects to the client (docs/spec/portal.md, Consent)", () => {
  const wayBack = async (page: Awaited<ReturnType<typeof open>>) => {
    const found = await page.lookUp();
    if (found.kind !== "gone") throw new Error(found.kind);
    const query = found.wayBack && Object.fromEntries(new URL(found.wayBack.location).searchParams);
    return { reason: found.reason, query };
  };
  const denied = (error_description: string) => ({
    error: "access_denied",
    error_description,
    state: "s1",
    iss: deps.config.baseUrl,
  });
  const inTenMinutes = () => new Date(deps.clock.now().getTime() + 600_000).toISOString();

  test("one of several mandates has expired: the page says so, Approve is refused, and Decline redirects to the client", async () => {
    const page = await open([...details, { ...details[0], valid_until: inTenMinutes() }]);
    deps.clock.advance(600);
    page.session.authTime = deps.clock.now();
    expect(await wayBack(page)).toEqual({ reason: "ended", query: denied("valid_until has passed") });
    await expect(page.answer("approve")).rejects.toMatchObject({ code: "consent_gone" });
    const declined = await page.answer("decline");
    expect(declined).toMatchObject({ location: expect.stringContaining("error=access_denied") });
    expect(await consents(page.session.sessionId)).toBe(0);
  });

  test("a named merchant is suspended after the page was opened: the page says so, Approve is refused, and Decline redirects", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const page = await open([{ ...details[0], payees: [{ id: merchantId }] }]);
    const by = { merchantId, reason: "r", actor: { kind: "operator", id: "acc_op" }, requestId: "req_test" } as const;
    await setSuspension(deps, { ...by, isSuspended: true });
    const query = denied("a payee of the request is not an active merchant");
    expect(await wayBack(page)).toEqual({ reason: "inactive_payee", query });
    await expect(page.answer("approve")).rejects.toMatchObject({ code: "consent_gone" });
    expect(await page.answer("decline")).toMatchObject({ location: expect.stringContaining("error=access_denied") });
    expect(await consents(page.session.sessionId)).toBe(0);
    await setSuspension(deps, { ...by, isSuspended: false });
    expect((await page.lookUp()).kind).toBe("ready");
  });

  test("just before its mandate expires, the request can still be approved", async () => {
    const page = await open([{ ...details[0], valid_until: inTenMinutes() }]);
    deps.clock.advance(599);
    page.session.authTime = deps.clock.now();
    expect((await page.lookUp()).kind).toBe("ready");
  });

  test.each(["no-such-handle", "a\0b", "\ud800"])("%j doesn't identify a request", async (handle) => {
    expect(await loadConsentRequest(deps, { handle, session: null })).toMatchObject({
      kind: "gone",
      reason: "unknown",
    });
  });

  test("after 15 minutes, whether the payer is signed in or not", async () => {
    const page = await open();
    deps.clock.advance(900);
    const query = denied("the request expired before the payer decided");
    expect(await wayBack(page)).toEqual({ reason: "expired", query });
    expect(await loadConsentRequest(deps, { handle: page.handle, session: null })).toMatchObject({ reason: "expired" });
  });

  test("if the client no longer has a grant type that the request needs; nothing is sent to a removed redirect URI", async () => {
    const registered = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
    const change = (data: object) =>
      deps.db.prisma.client.update({ where: { id: clientId }, data: { ...data, version: { increment: 1 } } });
    const { grantTypes, redirectUris } = registered;
    const page = await open();
    await change({ grantTypes: ["refresh_token"] });
    expect(await wayBack(page)).toEqual({
      reason: "unknown",
      query: denied("the client's registration no longer allows the request"),
    });
    await change({ redirectUris: ["https://bot.example/other"] });
    expect(await wayBack(page)).toEqual({ reason: "unknown", query: null });
    await change({ grantTypes, redirectUris });
  });
});

describe("entered values are kept (docs/spec/portal.md, Consent)", () => {
  const typed = { m0_max_amount_per_payment: "1O", m0_valid_until: "2027-01-01", budget_visible: "on" };
  const payerId = () => flow.session().account.id;
  const draftOf = async (page: Awaited<ReturnType<typeof open>>, who = page.session) =>
    Reflect.get(await page.lookUp(who), "draft");

  test("for the payer who entered them, in any session, and for no other payer", async () => {
    const page = await open();
    const { handle } = page;
    expect(await draftOf(page)).toBeNull();
    await keepDraft(deps, { handle, payerId: payerId(), form: { ...typed, payment_method_id: "pm_1" } });
    expect(await draftOf(page, flow.session())).toEqual({ ...typed, payment_method_id: "pm_1" });
    expect(await draftOf(page, flow.session(otherPayerId))).toBeNull();
    await keepDraft(deps, { handle, payerId: payerId(), form: { m0_max_total_amount: "5" } });
    expect(await draftOf(page)).toEqual({ m0_max_total_amount: "5" });
  });

  test("only for fields of the page, up to their maximum length", async () => {
    const page = await open();
    const { handle } = page;
    const form = { ...typed, form_token: "t", decision: "approve", m0_max_total_amount: "9".repeat(65), other: "x" };
    await keepDraft(deps, { handle, payerId: payerId(), form });
    expect(await draftOf(page)).toEqual(typed);
  });

  test("even if the session ended before the form was sent", async () => {
    const page = await open();
    const site = `${deps.config.walletUrl}/consent/${page.handle}`;
    const send = async (endpoint: Endpoint, fields: Record<string, string>) => {
      const url = `${site}/${endpoint.path.split("/").at(-1)}`;
      const body = new URLSearchParams({ form_token: page.formToken, ...fields });
      const headers = { origin: deps.config.baseUrl };
      const answer = await mount(endpoint).POST(new Request(url, { method: "POST", headers, body }));
      return [answer.status, answer.headers.get("location")];
    };
    const signInAgain = [303, expect.stringContaining("/sign-in?return_to=%2Fconsent%2F")];
    expect(await send(consentDecisionEndpoint, { ...typed, decision: "approve" })).toEqual(signInAgain);
    expect(await draftOf(page)).toEqual(typed);
    const adding = { m0_max_total_amount: "5", add_method: "test_card" };
    expect(await send(consentPaymentMethodEndpoint, adding)).toEqual(signInAgain);
    expect(await draftOf(page)).toEqual({ m0_max_total_amount: "5" });
    await send(consentDecisionEndpoint, { ...typed, form_token: page.another.formToken.slice(1), decision: "approve" });
    expect(await draftOf(page)).toEqual({ m0_max_total_amount: "5" });
  });

  test("until the request is answered", async () => {
    const page = await open();
    const { handle } = page;
    await keepDraft(deps, { handle, payerId: payerId(), form: typed });
    await page.answer("decline");
    await keepDraft(deps, { handle, payerId: payerId(), form: typed });
    const row = await deps.db.prisma.pushedRequest.findFirstOrThrow({ where: { handle } });
    expect(row.draft).toBeNull();
  });
});

describe("an invalid limit is reported at its field of the page (docs/spec/portal.md, Consent)", () => {
  const past = "2020-01-01T00:00:00Z";
  const monthly = { period: "month", alignment: "calendar" } as const;
  const daily = { ...monthly, period: "day" };
  const limited = {
    ...details[0],
    periodic_limits: [
      { ...daily, max_payments: 3 },
      { ...monthly, max_amount: 9_000 },
    ],
  };

  const wrong: [string, readonly Narrowing[], string][] = [
    ["an end in the past for the second mandate", [{}, { valid_until: past }], "/mandates/1/valid_until"],
    [
      "an amount above the second periodic limit, if only this amount was entered",
      [{}, { periodic_limits: [{ ...monthly, max_amount: 9_001 }] }],
      "/mandates/1/periodic_limits/1/max_amount",
    ],
  ];
  test.each(wrong)("%s", async (_title, narrowings, pointer) => {
    const page = await open([...details, limited]);
    await expect(page.answer("approve", { narrowings })).rejects.toMatchObject({ errors: [{ pointer }] });
    expect(await consents(page.session.sessionId)).toBe(0);
  });
});
