import { randomUUID } from "node:crypto";
import { fillPath, type Operation } from "../support/answers/openapi-operations.ts";
import { textOf } from "../support/answers/wire.ts";
import { makeAuthenticator } from "../support/oauth/authenticator.ts";
import { openConsent, startSession } from "../support/oauth/consent-driver.ts";
import {
  type ChargeableMandate,
  charge,
  chargeBody,
  makeChargeableMandate,
  mandateDetails,
  pushFields,
} from "../support/oauth/mandate-flow.ts";
import { assertionType } from "../support/oauth/oauth-client.ts";
import {
  clientToken,
  type Party,
  participantOf,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "../support/oauth/parties.ts";
import { tokenExchangeGrant, tokenTypeUri } from "../support/oauth/token-exchange.ts";
import type { Message } from "./http-message.ts";
import type { Random } from "./random.ts";
import { signNearAssertion, signNearProof } from "./sign.ts";

/** The parts of valid requests. Requests use up some of them, so they are renewed at intervals. */
export type Prerequisites = ChargeableMandate & {
  cookie: string;
  requestUri: string;
  consent: { handle: string; formToken: string; paymentMethodId: string };
  chargeId: string;
  billingToken: string;
  directory: { token: string; participantId: string };
  /** the client for deletions */
  spare: Party;
};

export const makePrerequisites = async (baseUrl: string): Promise<Prerequisites> => {
  const limits = { max_amount_per_payment: 99_999_999_999, max_total_amount: 99_999_999_999 };
  const scope = "grant_management_query";
  const mandate = await makeChargeableMandate(baseUrl, limits, { scope });
  const spare = await registerAgent(baseUrl);
  const { form } = pushFields([mandateDetails(mandate.merchant.merchantId)]);
  const pushed = await postAs(mandate.agent, "/oauth/par", { form, dpop: mandate.dpop });
  const requestUri = textOf(pushed, "request_uri");
  // A separate session, because a request to sign out ends it.
  const cookie = await startSession(baseUrl);
  const consent = await openConsent(baseUrl, { clientId: mandate.agent.id, requestUri }, cookie);
  const chargeId = textOf(await charge(mandate, { amount: 100_000 }), "id");
  const billingToken = await clientToken(
    await registerMerchant(baseUrl, { metadata: { scope: "billing.read billing.write" } }),
  );
  const directory = await makeDirectoryPrerequisites(baseUrl);
  return { ...mandate, cookie, requestUri, consent, chargeId, billingToken, directory, spare };
};

const makeDirectoryPrerequisites = async (baseUrl: string): Promise<Prerequisites["directory"]> => {
  const client = await registerMerchant(baseUrl, { metadata: { scope: "directory.write" } });
  return { token: await clientToken(client), participantId: await participantOf(baseUrl, client.id) };
};

type Fields = Readonly<Record<string, string>>;

/** Valid forms, so that a mutated request passes as many checks as possible. */
const forms: Readonly<Record<string, (at: Prerequisites, random: Random) => Fields>> = {
  "POST /oauth/par": (at) => pushFields([mandateDetails(at.merchant.merchantId)]).form,
  "POST /oauth/token": (at, random) =>
    random.pick<Fields>([
      { grant_type: "client_credentials", scope: "charges.read" },
      { grant_type: "refresh_token", refresh_token: at.refreshToken },
      {
        grant_type: "authorization_code",
        code: randomUUID(),
        code_verifier: "v".repeat(43),
        redirect_uri: redirectUri,
      },
      {
        grant_type: tokenExchangeGrant,
        subject_token: at.accessToken,
        subject_token_type: tokenTypeUri("access_token"),
        audience: at.merchant.merchantId,
      },
    ]),
  "POST /oauth/introspect": (at, random) => ({ token: random.pick([at.accessToken, at.refreshToken, randomUUID()]) }),
  // Revoking a valid token would end the mandate of the other requests.
  "POST /oauth/revoke": () => ({ token: randomUUID(), token_type_hint: "refresh_token" }),
  "POST /oauth/authorize": (at) => ({ client_id: at.agent.id, request_uri: at.requestUri }),
  // A known e-mail address would soon be locked for all other requests.
  "POST /sign-in/session": () => ({ email: "unknown@example.test", password: "wrong", return_to: "/wallet" }),
  "POST /consent/{handle}/decision": (at) => ({
    form_token: at.consent.formToken,
    decision: "decline",
    payment_method_id: at.consent.paymentMethodId,
    locale: "en-GB",
  }),
};

const jsons: Readonly<Record<string, (at: Prerequisites, random: Random) => object>> = {
  "POST /oauth/register": (at) => ({
    client_name: "Any",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    scope: "grant_management_query",
    contacts: ["a@example.test"],
    jwks: { keys: [at.agent.publicJwk] },
  }),
  // A known passkey would soon be locked for all other requests.
  "POST /sign-in/passkey": (at) => ({
    assertion: makeAuthenticator({ origin: at.agent.baseUrl }).get({ challenge: randomUUID() }),
    return_to: "/wallet",
  }),
  "PUT /oauth/register/{client_id}": (at) => ({ redirect_uris: [redirectUri], jwks: { keys: [at.spare.publicJwk] } }),
  "POST /merchant_test/charge": (at, random) => chargeBody(at, { amount: 1 + random.below(100), metadata: { a: "b" } }),
  "POST /merchant_test/verify-mandate": (at) => chargeBody(at),
  "POST /billing/usage-events": () => ({
    events: [
      {
        id: randomUUID(),
        source: "any",
        meter: "searches",
        subject: "customer",
        quantity: 1,
        time: new Date().toISOString(),
      },
    ],
  }),
  "PUT /billing/subscription": () => ({ plan: "pro", effective: "now", cancel_at: null }),
  "PUT /directory/v1/participants/{participant_id}": () => ({ display_name: "Any", contacts: ["a@example.test"] }),
  "POST /directory/v1/participants/{participant_id}/domains": (_at, random) => ({
    domain: `shop-${random.below(30)}.example`,
  }),
};

/** A valid or almost valid message for its endpoint. Sometimes a part is changed before it is signed. */
export const makeValid = async (
  operation: Operation,
  { baseUrl, at }: { baseUrl: string; at: Prerequisites },
  random: Random,
): Promise<Message> => {
  const isDeletion = operation.method === "DELETE";
  const path = fillPath(operation.path, {
    mandate_id: at.mandateId,
    list_id: random.pick(["revocation-1", "suspension-1", "token-1"]),
    charge_id: at.chargeId,
    client_id: at.spare.id,
    grant_id: isDeletion ? "grt_unknown" : at.grantId,
    handle: at.consent.handle,
    participant_id: at.directory.participantId,
    // Not a registered domain, so that no third-party server gets a request.
    domain: "unclaimed.example",
  });
  const query = queryOf(operation, at);
  const headers = new Map<string, string>([
    ["host", new URL(baseUrl).host],
    ["origin", baseUrl],
    ["cookie", at.cookie],
    ["accept", "*/*"],
  ]);
  const url = `${baseUrl}${path}`;
  const form: Record<string, string> = { ...forms[operation.title]?.(at, random) };
  await authenticate({ operation, url, at, random, headers, form });
  if (operation.content) headers.set("content-type", operation.content);
  if (operation.title === "POST /merchant_test/charge") headers.set("idempotency-key", randomUUID());
  const text =
    operation.content === "application/json"
      ? JSON.stringify(jsons[operation.title]?.(at, random) ?? {})
      : operation.content
        ? new URLSearchParams(form).toString()
        : "";
  return { method: operation.method, target: `${path}${query}`, headers: [...headers], body: Buffer.from(text) };
};

const queryOf = ({ path, method, queryParameters }: Operation, at: Prerequisites): string => {
  const known: Fields = {
    limit: "10",
    client_id: at.agent.id,
    request_uri: at.requestUri,
    code: "c",
    state: "s",
    q: "any",
  };
  const given = method === "GET" ? queryParameters.filter((name) => known[name] && path !== "/demo/callback") : [];
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map((name) => [name, known[name] ?? ""]))}`;
};

type Authenticating = {
  operation: Operation;
  url: string;
  at: Prerequisites;
  random: Random;
  headers: Map<string, string>;
  form: Record<string, string>;
};

const authenticate = async ({ operation, url, at, random, headers, form }: Authenticating): Promise<void> => {
  const isOfMerchant = operation.path.startsWith("/merchant_test/") || form["grant_type"] === "client_credentials";
  const proofOf = (accessToken?: string) =>
    signNearProof(at.dpop, { method: operation.method, url, ...(accessToken ? { accessToken } : {}) }, random);
  switch (operation.security) {
    case "privateKeyJwt": {
      const party = isOfMerchant ? at.merchant : at.agent;
      const audience = new URL(url).origin;
      form["client_assertion_type"] = assertionType;
      form["client_assertion"] = await signNearAssertion(party, audience, random);
      if (/\/oauth\/(token|par)$/.test(operation.path) && !isOfMerchant) headers.set("dpop", await proofOf());
      return;
    }
    case "registrationAccessToken":
      headers.set("authorization", `Bearer ${at.spare.registration["registration_access_token"]}`);
      return;
    case "accessToken":
      if (operation.path.startsWith("/billing/")) {
        headers.set("authorization", `Bearer ${at.billingToken}`);
        return;
      }
      if (operation.path.startsWith("/directory/")) {
        headers.set("authorization", `Bearer ${at.directory.token}`);
        headers.set("if-match", "*");
        return;
      }
      headers.set("authorization", isOfMerchant ? `Bearer ${at.merchantToken}` : `DPoP ${at.accessToken}`);
      if (!isOfMerchant) headers.set("dpop", await proofOf(at.accessToken));
      return;
    case "none":
      return;
  }
};
