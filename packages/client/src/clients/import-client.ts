import type { JWK } from "jose";
import type { CallOptions } from "../http/call-options.ts";
import { createKeyPair, importKeyPair } from "../keys/key-pair.ts";
import type { Client } from "./client.ts";
import type { Server } from "./discover.ts";

export type ClientToImport = {
  clientId: string;
  /** the key that the client is registered with; its `kid` must be the registered one */
  privateJwk: JWK;
  /** as registered; default: false */
  dpopBoundAccessTokens?: boolean;
  /**
   * the key that existing grants are bound to; default: a new key if `dpopBoundAccessTokens` is true, otherwise none
   */
  dpopJwk?: JWK;
  merchantId?: string;
};

const toDpopKey = ({ dpopBoundAccessTokens = false, dpopJwk }: ClientToImport) => {
  if (dpopJwk) return importKeyPair(dpopJwk);
  return dpopBoundAccessTokens ? createKeyPair() : null;
};

/**
 * A client that is already registered, for example in the dashboard. The imported keys can't be exported again. Sends
 * no request.
 */
export const importClient = async (
  server: Server,
  client: ClientToImport,
  _options: CallOptions = {},
): Promise<Client> => ({
  server,
  clientId: client.clientId,
  clientKey: await importKeyPair(client.privateJwk),
  dpopKey: await toDpopKey(client),
  merchantId: client.merchantId ?? null,
});
