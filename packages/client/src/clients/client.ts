import type { KeyPair } from "../keys/key-pair.ts";
import type { Server } from "./discover.ts";

/** A registered OAuth client with its keys: an agent or a merchant's client. */
export type Client = {
  server: Server;
  clientId: string;
  /** signs the client's assertions */
  clientKey: KeyPair;
  /** binds tokens and credentials (RFC 9449); null if the client uses Bearer tokens */
  dpopKey: KeyPair | null;
  /** the merchant that the client belongs to; null for an agent, or if the merchant is unknown */
  merchantId: string | null;
};
