import { afterAll, beforeAll, expect, test } from "vitest";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { formBody } from "#e2e/support/oauth/oauth-client.ts";
import { sentDuring } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { passwordAcr } from "../../accounts/sessions/sessions.ts";
import { startSession } from "../../accounts/sessions/start-session.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { consentDecisionEndpoint } from "../../endpoints/oauth/consent-decision.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { sealConsentForm } from "./consent-form.ts";
import { loadConsentRequest } from "./load-consent-request.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  provideDeps(deps);
});
afterAll(() => deps.close());
const { POST } = mount(consentDecisionEndpoint);

const signIn = async (accountId: string) => {
  const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
  const { setCookie } = await deps.db.transaction((tx) =>
    startSession(deps, tx, { accountId, acr: passwordAcr, cookieHeader: null, info }),
  );
  const [cookie = ""] = setCookie.split(";");
  const session = await findSession(deps, cookie);
  if (!session) throw new Error("the session wasn't found");
  return { cookie, session };
};

const openRequest = async ({ replaces }: { replaces: boolean }) => {
  const parties = await makeChargeableMandate(deps);
  const flow = await authorizationOf(deps, { client: parties.agent, payer: parties.payer });
  const details = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    payees: [{ id: parties.merchant.id }],
    payer_presence: ["in_session", "off_session"],
    ...(replaces ? { identifier: parties.mandateId } : {}),
  };
  const action = replaces ? { grant_management_action: "replace", grant_id: parties.grant.id } : {};
  const { handle } = await flow.startAuthorization([details], action);
  const { cookie, session } = await signIn(parties.payer.id);
  const load = () => loadConsentRequest(deps, { handle, session });
  const request = await load();
  if (request.kind !== "ready") throw new Error(request.kind);
  const page = { text: "Words", locale: "en-GB" };
  const form_token = sealConsentForm(deps, { session, view: request.view, page });
  const send = async (fields: Record<string, string>) => {
    const response = await POST(
      new Request(`${deps.config.baseUrl}/consent/${handle}/decision`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: deps.config.walletUrl, cookie },
        body: formBody({ form_token, payment_method_id: parties.payer.paymentMethodId, ...fields }),
      }),
    );
    return response.headers.get("location");
  };
  return { load, send };
};

/** Counts reads without a lock. The locking reads in the transaction only check the loaded rows again. */
const countReads = (texts: readonly string[], table: string): number =>
  texts
    .filter((text) => text.startsWith("SELECT") && !/ FOR (SHARE|NO KEY UPDATE)/.test(text))
    .filter((text) => new RegExp(` FROM "?${table}"? `).test(text)).length;

/** Leaves out the query for the key ring's version, which a timer sends every second. */
const sentForRequest = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentDuring(work)).filter((text) => !text.includes(" FROM signing_key "));

const approve = { decision: "approve" };
const malformed = { ...approve, m0_max_amount_per_payment: "9O" };

test.each([
  { what: "the page", replaces: false, form: null, statements: 4 },
  { what: "approval", replaces: false, form: approve, statements: 23 },
  { what: "decline", replaces: false, form: { decision: "decline" }, statements: 14 },
  { what: "a malformed limit", replaces: false, form: malformed, statements: 6 },
  { what: "the page of a replacement", replaces: true, form: null, statements: 5 },
  { what: "approval of a replacement", replaces: true, form: approve, statements: 31 },
  { what: "decline of a replacement", replaces: true, form: { decision: "decline" }, statements: 13 },
  { what: "a malformed limit of a replacement", replaces: true, form: malformed, statements: 7 },
])("$what loads the request, its client and its grant once ($statements statements)", async (row) => {
  const { load, send } = await openRequest(row);
  const texts = await sentForRequest(() => (row.form ? send(row.form) : load()));
  const loading = texts.includes("BEGIN") ? texts.slice(0, texts.indexOf("BEGIN")) : texts;
  const reads = ["pushed_request", "client c", "grant", "mandate"].map((table) => countReads(loading, table));
  expect(reads).toEqual(row.replaces ? [1, 1, 1, 1] : [1, 1, 0, 0]);
  expect(texts).toHaveLength(row.statements);
});

test("the same form sent again loads the request once and gets the same redirect", async () => {
  const { send } = await openRequest({ replaces: false });
  const first = await send(approve);
  const texts = await sentForRequest(async () => expect(await send(approve)).toBe(first));
  expect(countReads(texts, "pushed_request")).toBe(1);
  expect(texts).toHaveLength(4);
});
