import type { Client } from "../clients/client.ts";
import type { CallOptions } from "../http/call-options.ts";
import { signDpopProof } from "../keys/dpop.ts";
import type { MandateToken } from "./exchange-for-mandate-token.ts";

export type MandateTokenUse = {
  mandateToken: MandateToken;
  /** the merchant's request that the proof is for */
  purpose: "verify" | "charge";
};

/** The members that the merchant adds to its request. */
export type ProvenMandateToken = { mandateToken: string; mandateTokenProof: string };

const paths = { verify: "/verify-mandate", charge: "/charge" } as const;

/**
 * Creates a DPoP proof for one request of the merchant (RFC 9449). The proof is valid for one minute. This function
 * sends no request.
 */
export const proveMandateToken = async (
  agent: Client,
  { mandateToken: { mandateToken }, purpose }: MandateTokenUse,
  _options: CallOptions = {},
): Promise<ProvenMandateToken> => {
  if (agent.dpopKey === null)
    throw new TypeError(
      "This client has no DPoP key. To use mandate tokens, register it with dpop_bound_access_tokens.",
    );
  const url = `${agent.server.merchantResource}${paths[purpose]}`;
  const mandateTokenProof = await signDpopProof(agent.dpopKey, { method: "POST", url, accessToken: mandateToken });
  return { mandateToken, mandateTokenProof };
};
