import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type FormValue, postForm, postJson, send, textOf } from "../answers/wire.ts";
import { type EnvironmentName, query } from "../instance.ts";
import { assertionType, makeKey, type Signer, signAssertion, signProof } from "./oauth-client.ts";

/** A registered client with its key, in one environment. */
export type Party = Signer & { baseUrl: string; id: string; registration: Record<string, unknown> };
export type Merchant = Party & { merchantId: string };

export const redirectUri = "http://127.0.0.1:9/callback";

const agentMetadata = {
  client_name: "Grocer Bot",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
};
const merchantMetadata = {
  client_name: "Fresh Market checkout",
  grant_types: ["client_credentials"],
  scope: "mandates.verify charges.write charges.read refunds.write",
};

type Registering = { key?: Signer; metadata?: object; headers?: Record<string, string> };

const register = async (baseUrl: string, standard: object, { key, metadata, headers }: Registering): Promise<Party> => {
  const own = key ?? (await makeKey());
  const body = { ...standard, jwks: { keys: [own.publicJwk] }, ...metadata };
  const post = () => postJson(`${baseUrl}/oauth/register`, body, headers);
  let answer = await post();
  // On a busy machine the sandbox may not have fetched production's list of keys yet. It then responds with 503.
  for (const deadline = Date.now() + 60_000; answer.status === 503 && Date.now() < deadline; answer = await post()) {
    await sleep(500);
  }
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${answer.text}`);
  return { ...own, baseUrl, id: textOf(answer, "client_id"), registration: answer.json ?? {} };
};

export const registerAgent = (baseUrl: string, options: Registering = {}) => register(baseUrl, agentMetadata, options);

/** In the sandbox, registration creates a test merchant. */
export const registerMerchant = async (baseUrl: string, options: Registering = {}): Promise<Merchant> => {
  const party = await register(baseUrl, merchantMetadata, options);
  const { merchant_id: merchantId } = party.registration;
  return { ...party, merchantId: typeof merchantId === "string" ? merchantId : "" };
};

/**
 * An initial access token as an operator would create it (RFC 7591 §3).
 * @param merchant an existing merchant; a new one by default.
 */
export const makeInitialAccessToken = async (
  environment: EnvironmentName,
  kind: "agent" | "merchant",
  { uses = 5, lifetime = "1 hour", merchant }: { uses?: number; lifetime?: string; merchant?: string } = {},
): Promise<{ token: string; merchantId: string | null }> => {
  const token = randomBytes(32).toString("base64url");
  const [id, tail] = [randomBytes(8).toString("hex"), randomBytes(8).toString("hex")];
  const merchantId = kind === "merchant" ? (merchant ?? `mch_e2e${tail}`) : null;
  const scopes = kind === "merchant" ? merchantMetadata.scope.split(" ") : ["grant_management_query"];
  await query(async (client) => {
    if (merchantId && merchant === undefined) {
      await client.query(
        `INSERT INTO merchant (id, display_name, legal_name, mcc, processor, processor_account, created_at)
         VALUES ($1, 'Fresh Market', 'Fresh Market Ltd', '5411', 'simulator', $2, now())`,
        [merchantId, `acct_${merchantId}`],
      );
    }
    await client.query(
      `INSERT INTO initial_access_token (id, secret_hash, kind, merchant_id, scopes, uses_left, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now(), now() + $7::interval)`,
      [`iat_${id}`, createHash("sha256").update(token).digest("base64url"), kind, merchantId, scopes, uses, lifetime],
    );
  }, environment);
  return { token, merchantId };
};

export type Posting = { dpop?: Signer; proof?: string; headers?: Record<string, string> };

/** Posts a form with a new client assertion of the party. `undefined` removes a standard field. */
export const postAs = async (
  party: Party,
  path: string,
  { form, dpop, proof, headers = {} }: Posting & { form: Record<string, FormValue> },
): Promise<Answer> => {
  const url = `${party.baseUrl}${path}`;
  const sent: Record<string, FormValue> = {
    client_assertion_type: assertionType,
    ...("client_assertion" in form ? {} : { client_assertion: await signAssertion(party, party.baseUrl) }),
    ...form,
  };
  const dpopHeader = proof ?? (dpop ? await signProof(dpop, { url }) : null);
  return postForm(url, sent, { ...headers, ...(dpopHeader ? { dpop: dpopHeader } : {}) });
};

/** A client_credentials token with all registered scopes. */
export const clientToken = async (party: Party, fields: Record<string, string> = {}): Promise<string> =>
  textOf(
    await postAs(party, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } }),
    "access_token",
  );

/** The directory entry of this client or merchant; "" when there is none. */
export const participantOf = async (baseUrl: string, id: string): Promise<string> => {
  const { json } = await send(`${baseUrl}/directory/v1/participants?q=${id}`);
  return (json as { data?: { id: string }[] } | null)?.data?.[0]?.id ?? "";
};
