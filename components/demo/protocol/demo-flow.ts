import { formatAmount } from "../../format/money.ts";
import { agentName, coffee, currency, type DemoState, requestedLimits, requireValue, shopName } from "../demo-steps.ts";
import { readGrantedMandate } from "./demo-granted.ts";
import { createDemoKey } from "./demo-keys.ts";
import { clientAssertion, codeChallenge, dpopProof, publicJwk, randomText } from "./demo-proofs.ts";
import { type Exchange, responseHeader, responseMember, responseText, sendExchange } from "./demo-wire.ts";

/** The URL of the service, and the URL to which the consent page returns. */
export type Addresses = { issuer: string; redirectUri: string };

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The requests that a step sent, and how the step changes the state. */
export type StepOutcome = { exchanges: Exchange[]; changes: Partial<DemoState>; failure: string | null };

const failedOutcome = (exchanges: Exchange[], exchange: Exchange): StepOutcome => {
  const detail = responseMember(exchange, "error_description") ?? responseMember(exchange, "detail") ?? "";
  return { exchanges, changes: {}, failure: `${exchange.path} responded with ${exchange.status}. ${detail}` };
};

const lastOf = (exchanges: readonly Exchange[]): Exchange => {
  const last = exchanges.at(-1);
  if (!last) throw new Error("No request was sent.");
  return last;
};

/** Sends a form with a DPoP proof. If the server requires a nonce, sends the form again with it (RFC 9449 §8). */
const sendWithProof = async (
  state: DemoState,
  issuer: string,
  call: { title: string; path: string; form: () => Promise<Record<string, string>> },
): Promise<Exchange[]> => {
  const attempt = async (nonce: string | null) =>
    sendExchange({
      title: call.title,
      path: call.path,
      headers: { dpop: await dpopProof("POST", `${issuer}${call.path}`, nonce) },
      form: await call.form(),
    });
  const first = await attempt(state.dpopNonce);
  if (responseMember(first, "error") !== "use_dpop_nonce") return [first];
  return [first, await attempt(responseHeader(first, "dpop-nonce"))];
};

/** The agent and the shop create keys in this browser and register the public keys (RFC 7591). */
export const registerParties = async ({ redirectUri }: Addresses): Promise<StepOutcome> => {
  const [agentKey, , shopKey] = await Promise.all([
    createDemoKey("agent"),
    createDemoKey("agent-dpop"),
    createDemoKey("shop"),
  ]);
  const agent = await sendExchange({
    title: "The agent registers",
    path: "/oauth/register",
    json: {
      client_name: agentName,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      jwks: { keys: [await publicJwk(agentKey)] },
    },
  });
  if (agent.status !== 201) return failedOutcome([agent], agent);
  const shop = await sendExchange({
    title: "The shop registers",
    path: "/oauth/register",
    json: {
      client_name: shopName,
      grant_types: ["client_credentials"],
      scope: "mandates.verify charges.write charges.read",
      jwks: { keys: [await publicJwk(shopKey)] },
    },
  });
  if (shop.status !== 201) return failedOutcome([agent, shop], shop);
  const changes = {
    agentClientId: responseText(agent, "client_id"),
    shopClientId: responseText(shop, "client_id"),
    merchantId: responseText(shop, "merchant_id"),
  };
  return { exchanges: [agent, shop], changes, failure: null };
};

/** The agent pushes its authorization request (RFC 9126, RFC 9396), bound to its key (RFC 9449 §10). */
export const pushMandateRequest = async (
  state: DemoState,
  { issuer, redirectUri }: Addresses,
): Promise<StepOutcome> => {
  const [codeVerifier, antiForgery] = [randomText(), randomText()];
  const mandate = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency,
    max_amount_per_payment: requestedLimits.perPaymentMinor,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: requestedLimits.perMonthMinor }],
    payees: [{ id: requireValue(state.merchantId) }],
    payer_presence: ["in_session", "off_session"],
    purpose: "A bag of coffee whenever yours runs out",
  };
  const exchanges = await sendWithProof(state, issuer, {
    title: "The agent pushes its request",
    path: "/oauth/par",
    form: async () => ({
      ...(await clientFields("agent", requireValue(state.agentClientId), issuer)),
      response_type: "code",
      redirect_uri: redirectUri,
      state: antiForgery,
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: "S256",
      authorization_details: JSON.stringify([mandate]),
    }),
  });
  const pushed = lastOf(exchanges);
  if (pushed.status !== 201) return failedOutcome(exchanges, pushed);
  const changes = {
    codeVerifier,
    state: antiForgery,
    requestUri: responseText(pushed, "request_uri"),
    dpopNonce: responseHeader(pushed, "dpop-nonce"),
  };
  return { exchanges, changes, failure: null };
};

export const authorizeUrl = (state: DemoState): string =>
  `/oauth/authorize?${new URLSearchParams({ client_id: requireValue(state.agentClientId), request_uri: requireValue(state.requestUri) })}`;

/** Validates the authorization response before its code is used (RFC 9207, RFC 6749 §10.12). */
export const readReturn = (
  state: DemoState,
  query: URLSearchParams,
  { issuer }: Addresses,
): { code: string } | { problem: string } => {
  if (state.state === null || query.get("state") !== state.state)
    return { problem: "This response belongs to another run of the demo. Start over." };
  if (query.get("iss") !== issuer) return { problem: "This response is from another issuer, so it is ignored." };
  if (query.get("error") === "access_denied")
    return { problem: "You declined, so nothing is allowed. The agent may ask again." };
  const code = query.get("code");
  return code ? { code } : { problem: `The response was ${query.get("error") ?? "empty"}.` };
};

/** Exchanges the code for tokens that only the agent's key can use. */
export const redeemCode = async (
  state: DemoState,
  code: string,
  { issuer, redirectUri }: Addresses,
): Promise<StepOutcome> => {
  const exchanges = await sendWithProof(state, issuer, {
    title: "The agent redeems the code",
    path: "/oauth/token",
    form: async () => ({
      ...(await clientFields("agent", requireValue(state.agentClientId), issuer)),
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: requireValue(state.codeVerifier),
    }),
  });
  const token = lastOf(exchanges);
  if (token.status !== 200) return failedOutcome(exchanges, token);
  const changes = {
    refreshToken: responseText(token, "refresh_token"),
    ...readGrantedMandate(token),
    codeVerifier: null,
    state: null,
  };
  return { exchanges, changes, failure: null };
};

/** The shop gets a token, then checks whether a payment would be allowed. No money moves. */
export const checkPayment = async (
  state: DemoState,
  { issuer }: Addresses,
  amountMinor: number,
): Promise<StepOutcome> => {
  const exchanges: Exchange[] = [];
  let { shopToken } = state;
  if (shopToken === null) {
    const token = await fetchShopToken(state, issuer);
    exchanges.push(token);
    if (token.status !== 200) return failedOutcome(exchanges, token);
    shopToken = responseText(token, "access_token");
  }
  const verdict = await sendExchange({
    title: `The shop checks ${formatAmount(amountMinor, currency, { locale: "en-GB" })}`,
    path: "/merchant_test/verify-mandate",
    headers: { authorization: `Bearer ${shopToken}` },
    json: { mandate_id: requireValue(state.mandateId), amount: amountMinor, currency, payer_presence: "off_session" },
  });
  exchanges.push(verdict);
  if (verdict.status !== 200) return failedOutcome(exchanges, verdict);
  return { exchanges, changes: { shopToken }, failure: null };
};

/** The result of the last check of the coffee's price; null if another price was checked later. */
export const coffeeVerdict = ({ exchanges }: DemoState): "valid" | "invalid" | null => {
  const last = exchanges.check?.at(-1);
  const amount = last?.requestBody.find(([member]) => member === "amount")?.[1];
  if (last?.status !== 200 || amount !== coffee.amountMinor) return null;
  return responseMember(last, "valid") === true ? "valid" : "invalid";
};

/** The agent revokes a mandate that is too small, and can request another. */
export const withdrawMandate = async (state: DemoState, addresses: Addresses): Promise<StepOutcome> => {
  const outcome = await revokeMandateAsAgent(state, addresses);
  if (outcome.failure) return outcome;
  const exchanges = { register: state.exchanges.register ?? [] };
  return { ...outcome, changes: { ...outcome.changes, exchanges, mandateId: null, granted: null } };
};

const fetchShopToken = async (state: DemoState, issuer: string): Promise<Exchange> =>
  sendExchange({
    title: "The shop gets its own token",
    path: "/oauth/token",
    form: {
      ...(await clientFields("shop", requireValue(state.shopClientId), issuer)),
      grant_type: "client_credentials",
      scope: "mandates.verify charges.write charges.read",
    },
  });

/**
 * The shop charges the mandate. @returns every exchange, including a refused one, because only the caller knows which
 * status it expects.
 */
export const chargeMandate = async (
  state: DemoState,
  { issuer }: Addresses,
): Promise<{ exchanges: Exchange[]; charged: Exchange; shopToken: string }> => {
  const sendCharge = (shopToken: string) =>
    sendExchange({
      title: "The shop charges",
      path: "/merchant_test/charge",
      headers: { authorization: `Bearer ${shopToken}`, "idempotency-key": crypto.randomUUID() },
      json: {
        mandate_id: requireValue(state.mandateId),
        amount: coffee.amountMinor,
        currency,
        payer_presence: "off_session",
        reference: coffee.name,
      },
    });
  const shopToken = requireValue(state.shopToken);
  const charged = await sendCharge(shopToken);
  if (charged.status !== 401) return { exchanges: [charged], charged, shopToken };
  // The shop's token expires after 10 minutes. Reading the page may take longer.
  const token = await fetchShopToken(state, issuer);
  const fresh = responseText(token, "access_token");
  const again = await sendCharge(fresh);
  return { exchanges: [charged, token, again], charged: again, shopToken: fresh };
};

/** The agent revokes its refresh token, which also ends the mandate (RFC 7009). */
export const revokeMandateAsAgent = async (state: DemoState, { issuer }: Addresses): Promise<StepOutcome> => {
  const revoked = await sendExchange({
    title: "The agent revokes its permission",
    path: "/oauth/revoke",
    form: {
      ...(await clientFields("agent", requireValue(state.agentClientId), issuer)),
      token: requireValue(state.refreshToken),
    },
  });
  if (revoked.status !== 200) return failedOutcome([revoked], revoked);
  return { exchanges: [revoked], changes: { refreshToken: null }, failure: null };
};

const clientFields = async (
  key: "agent" | "shop",
  clientId: string,
  issuer: string,
): Promise<Record<string, string>> => ({
  client_id: clientId,
  client_assertion_type: assertionType,
  client_assertion: await clientAssertion(key, clientId, issuer),
});
