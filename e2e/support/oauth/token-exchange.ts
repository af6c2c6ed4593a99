import { randomUUID } from "node:crypto";
import type { Answer, FormValue } from "../answers/wire.ts";
import { type Granted, mandateDetails, obtainMandate } from "./mandate-flow.ts";
import type { Signer } from "./oauth-client.ts";
import { type Merchant, type Party, postAs, registerAgent, registerMerchant } from "./parties.ts";

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
export const tokenTypeUri = (name: string): string => `urn:ietf:params:oauth:token-type:${name}`;

/** An agent that may exchange its token, and a merchant as the audience. */
export type Exchanger = Granted & { agent: Party; merchant: Merchant };

export const makeExchanger = async (baseUrl: string, metadata: object = {}): Promise<Exchanger> => {
  const grant_types = ["authorization_code", "refresh_token", tokenExchangeGrant];
  const [agent, merchant] = await Promise.all([
    registerAgent(baseUrl, { metadata: { grant_types, ...metadata } }),
    registerMerchant(baseUrl),
  ]);
  return { agent, merchant, ...(await obtainMandate(agent, mandateDetails(merchant.merchantId))) };
};

/** A complete request of RFC 8693 §2.1. An `undefined` field isn't sent. */
export const exchange = (
  { agent, merchant, accessToken, dpop }: Exchanger,
  fields: Record<string, FormValue> = {},
  posting: { dpop?: Signer } = { dpop },
): Promise<Answer> =>
  postAs(agent, "/oauth/token", {
    form: {
      grant_type: tokenExchangeGrant,
      subject_token: accessToken,
      subject_token_type: tokenTypeUri("access_token"),
      audience: merchant.merchantId,
      ...fields,
    },
    ...posting,
  });

/** A token that no server has issued. */
export const unknownToken = (): string => `unknown-${randomUUID()}`;
