import type { JWK } from "jose";

/** The arguments of a server other than ours, as JSON. */
export type PeerOptions = { port: number; issuer: string; clientId: string; clientJwk: JWK; redirectUri: string };

export const readPeerOptions = (): PeerOptions => JSON.parse(process.argv[2] ?? "") as PeerOptions;

/** Reports that the server listens. The process ends when the bench ends, even if the bench is killed. */
export const announceListening = (): void => {
  process.send?.("ready");
  process.on("disconnect", () => process.exit(0));
};

/** The merchants' API, for which access tokens are JWTs. */
export const merchantResource = (issuer: string): string => `${issuer}/merchant_test`;
export const merchantScope = "mandates.verify charges.write";
