import type { JWK } from "jose";
import type { CallOptions } from "../http/call-options.ts";
import { readJson } from "../http/get-json.ts";
import { send } from "../http/send.ts";
import { createKeyPair, importKeyPair } from "../keys/key-pair.ts";
import { type Members, textIn, textOrNull } from "../wire/members.ts";
import { toSnake } from "../wire/names.ts";
import type { Client } from "./client.ts";
import type { Server } from "./discover.ts";

/** Client metadata (RFC 7591 §2). With `redirectUris` the client is an agent, otherwise a merchant client. */
export type Registration = {
  clientName: string;
  redirectUris?: readonly string[];
  /**
   * default for an agent: authorization code, refresh token and token exchange; for a merchant client: client
   * credentials
   */
  grantTypes?: readonly string[];
  /** scopes, separated by spaces; default for a merchant client: the scopes to verify, charge, read and refund */
  scope?: string;
  /** default: true for an agent, false for a merchant client; an agent can set false only in the sandbox */
  dpopBoundAccessTokens?: boolean;
  /** where an agent receives webhooks */
  webhookUri?: string;
  clientUri?: string;
  logoUri?: string;
  policyUri?: string;
  tosUri?: string;
  contacts?: readonly string[];
  softwareId?: string;
  softwareVersion?: string;
  softwareStatement?: string;
  /** needed in production (RFC 7591 §3) */
  initialAccessToken?: string;
  /** an existing key; by default a new one is created */
  privateJwk?: JWK;
};

/** What registration adds to the client (RFC 7591 §3.2.1, RFC 7592 §3). */
export type RegisteredClient = Client & {
  registrationClientUri: string;
  registrationAccessToken: string;
  /** for `verifyWebhook`; null without `webhookUri` */
  webhookSecret: string | null;
  scope: string | null;
};

const agentGrantTypes = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:token-exchange"];
const merchantDefaults = {
  grantTypes: ["client_credentials"],
  scope: "mandates.verify charges.write charges.read refunds.write",
};

const post = async (
  server: Server,
  { body, token }: { body: object; token: string | undefined },
  options: CallOptions,
) => {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const outgoing = { method: "POST", url: server.registrationEndpoint, headers, body: JSON.stringify(body) } as const;
  return readJson(await send({ prepare: async () => outgoing, isRepeatable: false }, options));
};

const isBound = (registered: Members): boolean => registered["dpop_bound_access_tokens"] === true;

/** Registers a client with the public part of its key (RFC 7591). */
export const registerClient = async (
  server: Server,
  { initialAccessToken, privateJwk, ...metadata }: Registration,
  options: CallOptions = {},
): Promise<RegisteredClient> => {
  const clientKey = privateJwk ? await importKeyPair(privateJwk) : await createKeyPair();
  const defaults = metadata.redirectUris ? { grantTypes: agentGrantTypes } : merchantDefaults;
  // A member that is undefined has its default, as if it were absent.
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
  const body = { ...Object(toSnake({ ...defaults, ...given })), jwks: { keys: [clientKey.publicJwk] } };
  const registered = await post(server, { body, token: initialAccessToken }, options);
  return {
    server,
    clientId: textIn(registered, "client_id"),
    clientKey,
    dpopKey: isBound(registered) ? await createKeyPair() : null,
    merchantId: textOrNull(registered, "merchant_id"),
    registrationClientUri: textIn(registered, "registration_client_uri"),
    registrationAccessToken: textIn(registered, "registration_access_token"),
    webhookSecret: textOrNull(registered, "webhook_secret"),
    scope: textOrNull(registered, "scope"),
  };
};
