import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, postJson, send, textOf } from "../answers/wire.ts";
import { consent } from "./consent-driver.ts";
import { makeKey, makePkce, type Signer, signProof } from "./oauth-client.ts";
import {
  clientToken,
  type Merchant,
  type Party,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "./parties.ts";

export const mandateDetails = (merchantId: string, limits: object = {}) => ({
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 6_000,
  max_total_amount: 100_000,
  payees: [{ id: merchantId }],
  ...limits,
});

/** A complete PAR form, and its verifier. */
export const pushFields = (details: readonly object[], fields: Record<string, string | undefined> = {}) => {
  const pkce = makePkce();
  const form = {
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
    state: "af0ifjsldkj",
    authorization_details: JSON.stringify(details),
    ...fields,
  };
  return { form, verifier: pkce.verifier };
};

export type PushedCode = { code: string; verifier: string; dpop: Signer; requestUri: string };

/**
 * Pushes an authorization request and gives consent. `fields` are added to the usual fields of the request.
 * @returns an unused code.
 */
export const obtainCode = async (
  agent: Party,
  details: readonly object[],
  { dpop, fields = {} }: { dpop?: Signer; fields?: Record<string, string> } = {},
): Promise<PushedCode> => {
  const key = dpop ?? (await makeKey());
  const { form, verifier } = pushFields(details, fields);
  const requestUri = textOf(await postAs(agent, "/oauth/par", { form, dpop: key }), "request_uri");
  const parameters = await consent(agent.baseUrl, { clientId: agent.id, requestUri });
  const code = parameters.get("code");
  if (!code) throw new Error(`no code: ${parameters}`);
  return { code, verifier, dpop: key, requestUri };
};

export const codeForm = (
  { code, verifier }: Pick<PushedCode, "code" | "verifier">,
  fields: Record<string, string | undefined> = {},
) => ({
  grant_type: "authorization_code",
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
  ...fields,
});

export type Granted = { mandateId: string; accessToken: string; refreshToken: string; grantId: string; dpop: Signer };

/** `identifier` of the first mandate that a token response grants (RFC 9396 §7). */
export const mandateIdOf = (answer: Answer): string => {
  const granted = answer.json?.["authorization_details"];
  const first: unknown = Array.isArray(granted) ? granted[0] : null;
  return typeof first === "object" && first && "identifier" in first ? String(first.identifier) : "";
};

/** Runs an agent's whole flow. `fields` are added to the usual fields of the pushed request. */
export const obtainMandate = async (
  agent: Party,
  details: object,
  fields: Record<string, string> = {},
): Promise<Granted> => {
  const pushed = await obtainCode(agent, [details], { fields });
  const answer = await postAs(agent, "/oauth/token", { form: codeForm(pushed), dpop: pushed.dpop });
  const accessToken = textOf(answer, "access_token");
  const mandateId = mandateIdOf(answer);
  const [refreshToken, grantId] = [textOf(answer, "refresh_token"), textOf(answer, "grant_id")];
  return { mandateId, accessToken, refreshToken, grantId, dpop: pushed.dpop };
};

export type ChargeableMandate = { agent: Party; merchant: Merchant; merchantToken: string } & Granted;

/** An agent's mandate that names a merchant as payee, ready to be charged. */
export const makeChargeableMandate = async (
  baseUrl: string,
  limits: object = {},
  fields: Record<string, string> = {},
): Promise<ChargeableMandate> => {
  const [agent, merchant] = await Promise.all([registerAgent(baseUrl), registerMerchant(baseUrl)]);
  const granted = await obtainMandate(agent, mandateDetails(merchant.merchantId, limits), fields);
  return { agent, merchant, merchantToken: await clientToken(merchant), ...granted };
};

/** A POST to the merchants' resource, with a Bearer token. */
export const merchantPost = (
  mandate: Pick<ChargeableMandate, "merchant" | "merchantToken">,
  path: string,
  { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<Answer> =>
  postJson(`${mandate.merchant.baseUrl}${path}`, body, {
    authorization: `Bearer ${mandate.merchantToken}`,
    ...headers,
  });

export const merchantGet = (
  mandate: Pick<ChargeableMandate, "merchant" | "merchantToken">,
  path: string,
): Promise<Answer> =>
  send(`${mandate.merchant.baseUrl}${path}`, { headers: { authorization: `Bearer ${mandate.merchantToken}` } });

export const chargeBody = ({ mandateId }: Pick<ChargeableMandate, "mandateId">, fields: object = {}) => ({
  mandate_id: mandateId,
  amount: 1_250,
  currency: "EUR",
  payer_presence: "in_session",
  ...fields,
});

export const charge = (
  mandate: Pick<ChargeableMandate, "merchant" | "merchantToken" | "mandateId">,
  fields: object = {},
  key: string = randomUUID(),
): Promise<Answer> =>
  merchantPost(mandate, "/merchant_test/charge", {
    body: chargeBody(mandate, fields),
    headers: { "idempotency-key": key },
  });

const isInProgress = ({ status, text }: Answer): boolean => status === 409 && text.includes("idempotency_key_in_use");

/**
 * Charges until the outcome is known. On a busy machine, the server may respond that nothing was submitted, that the
 * result isn't known yet, or that the charge is in progress. These responses ask for a retry with the same key.
 * @returns the final answer.
 * @param key a key that other requests use too. If the first response is 409 `idempotency_key_in_use`, it is final.
 * @param onRetryable called for each response that asks for a retry.
 */
export const chargeUntilFinal = async (
  mandate: Pick<ChargeableMandate, "merchant" | "merchantToken" | "mandateId">,
  fields: object = {},
  { key, onRetryable = () => {} }: { key?: string; onRetryable?: (answer: Answer) => void } = {},
): Promise<Answer> => {
  const ownKey = randomUUID();
  for (let isOwn = key === undefined; ; await sleep(500)) {
    const answer = await charge(mandate, fields, key ?? ownKey);
    if (![202, 503].includes(answer.status) && !(isOwn && isInProgress(answer))) return answer;
    onRetryable(answer);
    // The earlier request may still be in progress when the retry arrives.
    isOwn = true;
  }
};

/** A GET by the agent, with its bound token. */
export const agentGet = async (mandate: ChargeableMandate, path: string): Promise<Answer> => {
  const url = `${mandate.agent.baseUrl}${path}`;
  const proof = await signProof(mandate.dpop, { method: "GET", url, accessToken: mandate.accessToken });
  return send(url, { headers: { authorization: `DPoP ${mandate.accessToken}`, dpop: proof } });
};
