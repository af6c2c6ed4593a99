import type { Client } from "../clients/client.ts";
import type { CallOptions } from "../http/call-options.ts";
import { send } from "../http/send.ts";
import { observeNonce, signDpopProof } from "../keys/dpop.ts";
import { type Grant, holderKey } from "./grant.ts";

export type CredentialRequest = {
  grant: Grant;
  mandateId: string;
  /** `dc+sd-jwt` (SD-JWT VC, the default) or `vc+jwt` (W3C VCDM 2.0) */
  format?: "dc+sd-jwt" | "vc+jwt";
};

/** The credential of a mandate's current version, as the server signed it. */
export const fetchCredential = async (
  agent: Client,
  { grant, mandateId, format = "dc+sd-jwt" }: CredentialRequest,
  options: CallOptions = {},
): Promise<string> => {
  const url = `${agent.server.issuer}/oauth/mandates/${encodeURIComponent(mandateId)}/credential`;
  const { accessToken, tokenType } = grant;
  const request = { method: "GET", url, accessToken } as const;
  const prepare = async () => ({
    method: "GET" as const,
    url,
    headers: {
      accept: `application/${format}`,
      authorization: `${tokenType} ${accessToken}`,
      ...(tokenType === "DPoP" ? { dpop: await signDpopProof(holderKey(agent, grant), request) } : {}),
    },
  });
  return (await send({ prepare, isRepeatable: true, observe: observeNonce(url) }, options)).text;
};
