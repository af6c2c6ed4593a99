import {
  charge,
  clientCredentials,
  discover,
  exchangeCode,
  isPaygrantError,
  pushMandateRequest as push,
  registerClient,
  revoke,
  type Session,
  verifyMandate,
} from "#client";
import { formatAmount } from "../../format/money.ts";
import { agentName, coffee, currency, type DemoState, requestedLimits, requireValue, shopName } from "../demo-steps.ts";
import { readGrantedMandate } from "./demo-granted.ts";
import { getHandle, keepHandle } from "./demo-handles.ts";
import { createRecorder, type Exchange, type Recorder, responseMember } from "./demo-wire.ts";

/** The URL of the service, and the URL to which the consent page returns. */
export type Addresses = { issuer: string; redirectUri: string };

/** The requests that a step sent, and how the step changes the state. */
export type StepOutcome = { exchanges: Exchange[]; changes: Partial<DemoState>; failure: string | null };

/**
 * Runs a step. If the server refuses a request, the outcome contains the server's reason and the requests that were
 * sent.
 */
const record = async (work: (recorder: Recorder) => Promise<Partial<DemoState>>): Promise<StepOutcome> => {
  const recorder = createRecorder();
  const { exchanges } = recorder;
  try {
    return { exchanges, changes: await work(recorder), failure: null };
  } catch (error) {
    // If no request was sent, the error isn't a response of the server.
    if (!isPaygrantError(error) || error.kind !== "problem" || exchanges.length === 0) throw error;
    const { status, detail } = error.problem;
    return { exchanges, changes: {}, failure: `${exchanges.at(-1)?.path} responded with ${status}. ${detail}` };
  }
};

/** The agent and the shop create keys in this browser and register the public keys (RFC 7591). */
export const registerParties = ({ issuer, redirectUri }: Addresses): Promise<StepOutcome> =>
  record(async ({ recording }) => {
    const server = await discover(issuer, {}, recording("Both read the server’s metadata"));
    const agent = await registerClient(
      server,
      { clientName: agentName, redirectUris: [redirectUri], grantTypes: ["authorization_code", "refresh_token"] },
      recording("The agent registers"),
    );
    const scope = "mandates.verify charges.write charges.read";
    const shop = await registerClient(server, { clientName: shopName, scope }, recording("The shop registers"));
    await Promise.all([keepHandle("agent", agent), keepHandle("shop", shop)]);
    return { merchantId: shop.merchantId };
  });

/** The agent pushes its authorization request (RFC 9126, RFC 9396), bound to its key (RFC 9449 §10). */
export const pushMandateRequest = (state: DemoState, { redirectUri }: Addresses): Promise<StepOutcome> =>
  record(async ({ recording }) => {
    const mandate = {
      actions: ["verify", "charge"],
      currency,
      maxAmountPerPayment: requestedLimits.perPaymentMinor,
      periodicLimits: [{ period: "month", alignment: "calendar", maxAmount: requestedLimits.perMonthMinor }],
      payees: [{ id: requireValue(state.merchantId) }],
      payerPresence: ["in_session", "off_session"],
      purpose: "A bag of coffee whenever yours runs out",
    } as const;
    const request = await push(
      await getHandle("agent"),
      { redirectUri, authorizationDetails: [mandate] },
      recording("The agent pushes its request"),
    );
    await keepHandle("request", request);
    return { authorizationUrl: request.authorizationUrl };
  });

const returnProblems: Readonly<Record<string, string>> = {
  state_mismatch: "This response belongs to another run of the demo. Start over.",
  issuer_mismatch: "This response is from another issuer, so it is ignored.",
  access_denied: "You declined, so nothing is allowed. The agent may ask again.",
};

/**
 * Checks the response of the consent page, and exchanges its code for tokens that only the agent's key can use. Without
 * a usable response the agent can ask again.
 */
export const redeemCode = async (
  state: DemoState,
  query: URLSearchParams,
): Promise<StepOutcome & { next?: DemoState["next"] }> => {
  try {
    return await record(async ({ recording }) => {
      const [agent, request] = await Promise.all([getHandle("agent"), getHandle("request")]);
      const returned = { callbackUrl: `${request.redirectUri}?${query}`, request };
      const grant = await exchangeCode(agent, returned, recording("The agent redeems the code"));
      await keepHandle("grant", grant);
      return readGrantedMandate(grant);
    });
  } catch (error) {
    if (!isPaygrantError(error) || error.kind === "request") throw error;
    const failure = returnProblems[error.code] ?? `The response can’t be used: ${error.code}.`;
    const exchanges = { register: state.exchanges.register ?? [] };
    return { exchanges: [], changes: { exchanges }, failure, next: "request" };
  }
};

/** Runs a step with the shop's session, then stores the session, because the step may have renewed it. */
const withSession = async <T>({ recording }: Recorder, work: (session: Session) => Promise<T>): Promise<T> => {
  const kept = await getHandle("session").catch(() => null);
  const shop = await getHandle("shop");
  const isOwn = kept?.client.clientId === shop.clientId;
  const session = isOwn ? kept : await clientCredentials(shop, {}, recording("The shop gets its own token"));
  try {
    return await work(session);
  } finally {
    await keepHandle("session", session);
  }
};

/** The shop checks whether a payment would be allowed. If it has no token, it gets one first. No money moves. */
export const checkPayment = (state: DemoState, amount: number): Promise<StepOutcome> =>
  record(async (recorder) => {
    const mandateId = requireValue(state.mandateId);
    const title = `The shop checks ${formatAmount(amount, currency, { locale: "en-GB" })}`;
    const payment = { mandateId, amount, currency, payerPresence: "off_session" } as const;
    await withSession(recorder, (session) => verifyMandate(session, payment, recorder.recording(title)));
    return {};
  });

/** The result of the last check; null if there is none, if it failed, or if it checked another price. */
export const coffeeVerdict = ({ exchanges }: DemoState): "valid" | "invalid" | null => {
  const last = exchanges.check?.at(-1);
  const amount = last?.requestBody.find(([member]) => member === "amount")?.[1];
  if (last?.status !== 200 || amount !== coffee.amountMinor) return null;
  return responseMember(last, "valid") === true ? "valid" : "invalid";
};

/** The agent revokes a mandate that is too small, and can request another. */
export const revokeAndRestart = async (state: DemoState): Promise<StepOutcome> => {
  const outcome = await revokeMandateAsAgent();
  if (outcome.failure) return outcome;
  const exchanges = { register: state.exchanges.register ?? [] };
  return { ...outcome, changes: { exchanges, mandateId: null, granted: null } };
};

/** The shop charges the mandate. After the mandate has ended, the caller expects a refusal. */
export const chargeMandate = (state: DemoState): Promise<StepOutcome> =>
  record(async (recorder) => {
    const payment = {
      mandateId: requireValue(state.mandateId),
      idempotencyKey: crypto.randomUUID(),
      amount: coffee.amountMinor,
      currency,
      payerPresence: "off_session",
      reference: coffee.name,
    } as const;
    await withSession(recorder, (session) => charge(session, payment, recorder.recording("The shop charges")));
    return {};
  });

/** The agent revokes its refresh token, which also ends the mandate (RFC 7009). */
export const revokeMandateAsAgent = (): Promise<StepOutcome> =>
  record(async ({ recording }) => {
    const [agent, grant] = await Promise.all([getHandle("agent"), getHandle("grant")]);
    await revoke(agent, { grant }, recording("The agent revokes its permission"));
    return {};
  });
