import { type Answer, send, textOf } from "../answers/wire.ts";
import { consent } from "./consent-driver.ts";
import { codeForm, mandateDetails, mandateIdOf, pushFields } from "./mandate-flow.ts";
import { makeKey, type Signer, signProof } from "./oauth-client.ts";
import {
  type Merchant,
  type Party,
  type Posting,
  postAs,
  redirectUri,
  registerAgent,
  registerMerchant,
} from "./parties.ts";

/** A client of the FAPI 2.0 Security Profile, with its DPoP key, its redirect URI and the payee that it requests. */
export type FapiClient = Party & { dpop: Signer; redirectUri: string; merchant: Merchant };

/** Two clients of one payer; the second's redirect URI has a query. */
export const registerPair = async (baseUrl: string): Promise<[FapiClient, FapiClient]> => {
  const merchant = await registerMerchant(baseUrl);
  const register = async (uri: string): Promise<FapiClient> => {
    const party = await registerAgent(baseUrl, { metadata: { redirect_uris: [uri] } });
    return { ...party, dpop: await makeKey(), redirectUri: uri, merchant };
  };
  return Promise.all([register(redirectUri), register("https://second.example/cb?first=1&second=two%20words")]);
};

type Fields = Record<string, string | undefined>;
export type Pushed = { answer: Answer; requestUri: string; verifier: string };

/** PAR, with a proof by the client's key unless `posting` overrides it; an `undefined` field isn't sent. */
export const push = async (client: FapiClient, fields: Fields = {}, posting: Posting = client): Promise<Pushed> => {
  const { form, verifier } = pushFields([mandateDetails(client.merchant.merchantId)], {
    redirect_uri: client.redirectUri,
    ...fields,
  });
  const answer = await postAs(client, "/oauth/par", { form, ...posting });
  return { answer, requestUri: String(answer.json?.["request_uri"]), verifier };
};

/** The payer approves. @returns the parameters of the client's redirect. */
export const approve = (client: FapiClient, { requestUri }: Pushed): Promise<URLSearchParams> =>
  consent(client.baseUrl, { clientId: client.id, requestUri });

export type Code = { code: string; verifier: string; requestUri: string };

/** PAR and approval. */
export const authorize = async (client: FapiClient, fields: Fields = {}, posting: Posting = client): Promise<Code> => {
  const pushed = await push(client, fields, posting);
  const parameters = await approve(client, pushed);
  return { code: parameters.get("code") ?? "", verifier: pushed.verifier, requestUri: pushed.requestUri };
};

/** The token request for a code. */
export const redeem = (
  client: FapiClient,
  code: Code,
  { fields = {}, posting = client }: { fields?: Fields; posting?: Posting } = {},
) =>
  postAs(client, "/oauth/token", { form: codeForm(code, { redirect_uri: client.redirectUri, ...fields }), ...posting });

/** The token response of a whole flow. */
export const grantTokens = async (client: FapiClient): Promise<Answer> => redeem(client, await authorize(client));

type ProofOptions = Partial<Parameters<typeof signProof>[1]>;

/** A resource for agents: the charges of their mandate. */
export const chargesUrl = (client: Party, granted: Answer): string =>
  `${client.baseUrl}/oauth/mandates/${mandateIdOf(granted)}/charges`;

/** Reads the resource with the granted token and a proof by `key`. */
export const readResource = async (
  client: FapiClient,
  granted: Answer,
  { key = client.dpop, headers = {}, ...proof }: ProofOptions & { key?: Signer; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const accessToken = textOf(granted, "access_token");
  const url = chargesUrl(client, granted);
  const dpop = await signProof(key, { method: "GET", url, accessToken, ...proof });
  return send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop, ...headers } });
};
