import type { SessionContext } from "#server/accounts/sessions/find-session.ts";
import { parEndpoint } from "#server/endpoints/oauth/par.ts";
import { revokeEndpoint } from "#server/endpoints/oauth/revoke.ts";
import { tokenEndpoint } from "#server/endpoints/oauth/token.ts";
import { mount } from "#server/http/serve.ts";
import { newId } from "#server/kernel/ids.ts";
import { hashForm } from "#server/oauth/consent/consent-answer.ts";
import { sealConsentForm } from "#server/oauth/consent/consent-form.ts";
import { type ConsentOutcome, decideConsent } from "#server/oauth/consent/decide-consent.ts";
import { loadConsentRequest } from "#server/oauth/consent/load-consent-request.ts";
import type { ConsentDecision } from "#server/oauth/consent/record-consent.ts";
import { openRequest } from "#server/oauth/requests/open-request.ts";
import type { TestClient } from "../factories.ts";
import type { TestDeps } from "../test-deps.ts";
import { assertionType, formBody, makeKey, makePkce, type Signer, signAssertion, signProof } from "./oauth-client.ts";

const redirectUri = "http://127.0.0.1:4567/callback";
const handlers = {
  "/oauth/par": mount(parEndpoint).POST,
  "/oauth/revoke": mount(revokeEndpoint).POST,
  "/oauth/token": mount(tokenEndpoint).POST,
};

/** Loads the request and submits a decision, as the endpoint does. */
export const submitConsent = async (
  deps: TestDeps,
  input: Omit<Parameters<typeof decideConsent>[1], "consent" | "formHash">,
): Promise<ConsentOutcome> =>
  decideConsent(deps, {
    ...input,
    formHash: hashForm([input.formToken, input.decision]),
    consent: await loadConsentRequest(deps, input),
  });

type Sender = { deps: TestDeps; client: TestClient; key: Signer };

/** @param request.isBound whether a DPoP proof is sent. */
const postAsClient = async (
  { deps, client, key }: Sender,
  path: keyof typeof handlers,
  { fields, isBound }: { fields: Record<string, string>; isBound: boolean },
) => {
  const now = deps.clock.now();
  const url = `${deps.config.baseUrl}${path}`;
  const body = formBody({
    client_assertion_type: assertionType,
    client_assertion: await signAssertion(client, deps.config.baseUrl, { now }),
    ...fields,
  });
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    ...(isBound ? { dpop: await signProof(key, { url, now }) } : {}),
  };
  const response = await handlers[path](new Request(url, { method: "POST", headers, body }));
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};

const makeSession = (deps: TestDeps, accountId: string): SessionContext => ({
  sessionId: newId("ses"),
  account: { id: accountId, email: "", displayName: "", operatorRole: null, locale: "en-GB", timeZone: "UTC" },
  authTime: deps.clock.now(),
  acr: "urn:paygrant:acr:password",
  hasSecondFactor: false,
});

/** The consent page as it is now. `answer` submits its form. */
const readPage = async (
  deps: TestDeps,
  { handle, who, paymentMethodId }: { handle: string; who: SessionContext; paymentMethodId: string },
) => {
  const found = await loadConsentRequest(deps, { handle, session: who });
  if (found.kind !== "ready") throw new Error(found.kind === "gone" ? `gone ${found.reason}` : found.kind);
  const { view } = found;
  const formToken = sealConsentForm(deps, { session: who, view, page: { text: "Words", locale: "en-GB" } });
  const answer = (
    decision: "approve" | "decline",
    changes: Partial<ConsentDecision> = {},
    by = who,
  ): Promise<ConsentOutcome> =>
    submitConsent(deps, {
      handle,
      formToken,
      session: by,
      info: { requestId: "req_test", ipAddress: "", userAgent: "" },
      decision: { decision, paymentMethodId, narrowings: [], budgetVisible: false, ...changes },
    });
  return { view, formToken, answer };
};

const codeOf = (outcome: ConsentOutcome): string =>
  (outcome.kind === "redirect" ? new URL(outcome.location).searchParams.get("code") : null) ?? "";

/** A client and a payer that complete an authorization, by calling the product's endpoints directly. */
export const authorizationOf = async (
  deps: TestDeps,
  { client, payer }: { client: TestClient; payer: { id: string; paymentMethodId: string } },
) => {
  const sender = { deps, client, key: await makeKey() };
  const post = (path: keyof typeof handlers, fields: Record<string, string>, isBound = true) =>
    postAsClient(sender, path, { fields, isBound });

  const session = (accountId = payer.id): SessionContext => makeSession(deps, accountId);

  /** Pushes a request and opens it as the payer's browser does. @returns the page's handle and the code verifier. */
  const startAuthorization = async (details: readonly object[], fields: Record<string, string> = {}) => {
    const pkce = makePkce();
    const pushed = await post("/oauth/par", {
      response_type: "code",
      redirect_uri: redirectUri,
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      authorization_details: JSON.stringify(details),
      ...fields,
    });
    if (pushed.status !== 201) throw new Error(`${pushed.body.error}: ${pushed.body.error_description}`);
    const { consentUrl } = await openRequest(deps, { clientId: client.id, requestUri: pushed.body.request_uri });
    return { handle: consentUrl.split("/").at(-1) ?? "", verifier: pkce.verifier };
  };

  const read = (handle: string, who = session()) =>
    readPage(deps, { handle, who, paymentMethodId: payer.paymentMethodId });

  const exchange = (code: string, verifier: string) =>
    post("/oauth/token", {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });

  /** The whole flow. @returns the token response. */
  const authorize = async (details: readonly object[], fields: Record<string, string> = {}) => {
    const { handle, verifier } = await startAuthorization(details, fields);
    const page = await read(handle);
    return exchange(codeOf(await page.answer("approve")), verifier);
  };

  return { startAuthorization, read, authorize, exchange, codeOf, post, session };
};
