import { formatAmount } from "../format/money.ts";
import { type GrantedLimits, readGrantedMandate } from "./demo-granted.ts";
import { createDemoKey } from "./demo-keys.ts";
import { clientAssertion, codeChallenge, dpopProof, publicJwk, randomText } from "./demo-proofs.ts";
import { type Exchange, responseHeader, responseMember, responseText, sendExchange } from "./demo-wire.ts";

export const stepIds = ["meet", "ask", "decide", "token", "check", "charge", "stop", "refused"] as const;
export type StepId = (typeof stepIds)[number];

/** What the demo remembers in this tab. Private keys are not among it: they stay in IndexedDB, unreadable. */
export type DemoState = {
  /** the step that comes next; `done` after the last */
  next: StepId | "done";
  exchanges: Partial<Record<StepId, Exchange[]>>;
  agentClientId: string | null;
  shopClientId: string | null;
  merchantId: string | null;
  codeVerifier: string | null;
  state: string | null;
  requestUri: string | null;
  refreshToken: string | null;
  shopToken: string | null;
  mandateId: string | null;
  granted: GrantedLimits | null;
  chargeId: string | null;
  dpopNonce: string | null;
};

export const freshState: DemoState = {
  next: "meet",
  exchanges: {},
  agentClientId: null,
  shopClientId: null,
  merchantId: null,
  codeVerifier: null,
  state: null,
  requestUri: null,
  refreshToken: null,
  shopToken: null,
  mandateId: null,
  granted: null,
  chargeId: null,
  dpopNonce: null,
};

/** Addresses of the service, and where the payer's browser comes back to. */
export type Addresses = { issuer: string; redirectUri: string };

export const agentName = "Pip, the coffee agent";
export const shopName = "Bean & Leaf";
export const currency = "EUR";
export const coffee = { name: "House blend, 1 kg", amountMinor: 1450 };
export const machine = { name: "Espresso machine", amountMinor: 24900 };
/** What the agent asks for; the payer may grant less. */
export const limits: GrantedLimits = { perPaymentMinor: 2000, perMonthMinor: 6000 };

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** A step's calls so far, told as they happen, and what it changes in the state. */
type Outcome = { exchanges: Exchange[]; changes: Partial<DemoState>; failure: string | null };

const requireStep = (value: string | null): string => {
  if (value === null) throw new Error("A step before this one is missing. Start over.");
  return value;
};

const failedOutcome = (exchanges: Exchange[], exchange: Exchange): Outcome => {
  const said = responseMember(exchange, "error_description") ?? responseMember(exchange, "detail") ?? "";
  return { exchanges, changes: {}, failure: `${exchange.path} answered ${exchange.status}. ${said}` };
};

const lastOf = (exchanges: readonly Exchange[]): Exchange => {
  const last = exchanges.at(-1);
  if (!last) throw new Error("nothing was sent");
  return last;
};

/** With a DPoP proof; where the server wants its own nonce in it, once more with that (RFC 9449 §8). */
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

/** Two strangers make keys in this browser and register their public halves (RFC 7591). */
export const registerParties = async ({ redirectUri }: Addresses): Promise<Outcome> => {
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

/** The agent pushes what it would like to be allowed (RFC 9126, RFC 9396), bound to its key (RFC 9449 §10). */
export const pushMandateRequest = async (state: DemoState, { issuer, redirectUri }: Addresses): Promise<Outcome> => {
  const [codeVerifier, antiForgery] = [randomText(), randomText()];
  const mandate = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency,
    max_amount_per_payment: limits.perPaymentMinor,
    periodic_limits: [{ period: "month", alignment: "calendar", max_amount: limits.perMonthMinor }],
    payees: [{ id: requireStep(state.merchantId) }],
    payer_presence: ["in_session", "off_session"],
    purpose: "A bag of coffee whenever yours runs out",
  };
  const exchanges = await sendWithProof(state, issuer, {
    title: "The agent pushes its request",
    path: "/oauth/par",
    form: async () => ({
      ...(await clientFields("agent", requireStep(state.agentClientId), issuer)),
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
  `/oauth/authorize?${new URLSearchParams({ client_id: requireStep(state.agentClientId), request_uri: requireStep(state.requestUri) })}`;

/** What the browser brought back is checked before it is used (RFC 9207, RFC 6749 §10.12). */
export const readReturn = (
  state: DemoState,
  query: URLSearchParams,
  { issuer }: Addresses,
): { code: string } | { problem: string } => {
  if (state.state === null || query.get("state") !== state.state)
    return { problem: "The answer belongs to another run of the demo. Start over." };
  if (query.get("iss") !== issuer) return { problem: "The answer names another issuer, so it isn’t used." };
  if (query.get("error") === "access_denied")
    return { problem: "You declined, so nothing is allowed. The agent may ask again." };
  const code = query.get("code");
  return code ? { code } : { problem: `The answer was ${query.get("error") ?? "empty"}.` };
};

/** The code becomes tokens that only the agent's key can use. */
export const redeemCode = async (
  state: DemoState,
  code: string,
  { issuer, redirectUri }: Addresses,
): Promise<Outcome> => {
  const exchanges = await sendWithProof(state, issuer, {
    title: "The agent redeems the code",
    path: "/oauth/token",
    form: async () => ({
      ...(await clientFields("agent", requireStep(state.agentClientId), issuer)),
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: requireStep(state.codeVerifier),
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

/** The shop signs in as itself, then asks whether a payment would fit. Nothing moves. */
export const checkPayment = async (state: DemoState, { issuer }: Addresses, amountMinor: number): Promise<Outcome> => {
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
    json: { mandate_id: requireStep(state.mandateId), amount: amountMinor, currency, payer_presence: "off_session" },
  });
  exchanges.push(verdict);
  if (verdict.status !== 200) return failedOutcome(exchanges, verdict);
  return { exchanges, changes: { shopToken }, failure: null };
};

/** What the last check said about the coffee's price; null before it, and after a check of another price. */
export const coffeeVerdict = ({ exchanges }: DemoState): "valid" | "invalid" | null => {
  const last = exchanges.check?.at(-1);
  const asked = last?.requestBody.find(([member]) => member === "amount")?.[1];
  if (last?.status !== 200 || asked !== coffee.amountMinor) return null;
  return responseMember(last, "valid") === true ? "valid" : "invalid";
};

/** The agent gives up a mandate that is too small, and can ask for another. */
export const withdrawMandate = async (state: DemoState, addresses: Addresses): Promise<Outcome> => {
  const outcome = await revokeMandateAsAgent(state, addresses);
  if (outcome.failure) return outcome;
  const exchanges = { meet: state.exchanges.meet ?? [] };
  return { ...outcome, changes: { ...outcome.changes, exchanges, mandateId: null, granted: null } };
};

const fetchShopToken = async (state: DemoState, issuer: string): Promise<Exchange> =>
  sendExchange({
    title: "The shop gets its own token",
    path: "/oauth/token",
    form: {
      ...(await clientFields("shop", requireStep(state.shopClientId), issuer)),
      grant_type: "client_credentials",
      scope: "mandates.verify charges.write charges.read",
    },
  });

/** The shop charges the mandate. @returns the exchange as it went, refused or not; the caller knows which it wants. */
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
        mandate_id: requireStep(state.mandateId),
        amount: coffee.amountMinor,
        currency,
        payer_presence: "off_session",
        reference: coffee.name,
      },
    });
  const shopToken = requireStep(state.shopToken);
  const charged = await sendCharge(shopToken);
  if (charged.status !== 401) return { exchanges: [charged], charged, shopToken };
  // A shop's token lives for 10 minutes; who read for longer gets the next one.
  const token = await fetchShopToken(state, issuer);
  const fresh = responseText(token, "access_token");
  const again = await sendCharge(fresh);
  return { exchanges: [charged, token, again], charged: again, shopToken: fresh };
};

/** The agent gives the permission back: its refresh token takes the mandate with it (RFC 7009). */
export const revokeMandateAsAgent = async (state: DemoState, { issuer }: Addresses): Promise<Outcome> => {
  const revoked = await sendExchange({
    title: "The agent gives the permission back",
    path: "/oauth/revoke",
    form: {
      ...(await clientFields("agent", requireStep(state.agentClientId), issuer)),
      token: requireStep(state.refreshToken),
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
