import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { makeChargeableMandate } from "../../support/oauth/mandate-flow.ts";
import { signProof } from "../../support/oauth/oauth-client.ts";

const { sandboxUrl } = currentInstance();

/**
 * URL of the issuer's metadata: the well-known path is inserted between host and path of `iss` (SD-JWT VC, JWT VC
 * Issuer Metadata).
 */
const keysOf = async (iss: string) => {
  const { origin, pathname } = new URL(iss);
  const metadata = await send(`${origin}/.well-known/jwt-vc-issuer${pathname.replace(/\/$/, "")}`);
  expect(metadata.headers.get("content-type")).toBe("application/json");
  expect(textOf(metadata, "issuer")).toBe(iss);
  return createRemoteJWKSet(new URL(textOf(metadata, "jwks_uri")));
};

test("lets a verifier find the issuer's key with only the credential (SD-JWT VC, JWT VC Issuer Metadata; VC-JOSE-COSE)", async () => {
  const { accessToken, mandateId, dpop } = await makeChargeableMandate(sandboxUrl);
  const url = `${sandboxUrl}/oauth/mandates/${mandateId}/credential`;
  for (const accept of ["application/dc+sd-jwt", "application/vc+jwt"]) {
    const proof = await signProof(dpop, { method: "GET", url, accessToken });
    const { text } = await send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop: proof, accept } });
    const [jwt = ""] = text.split("~");
    const { iss, issuer } = decodeJwt(jwt);
    const { protectedHeader } = await jwtVerify(jwt, await keysOf(String(iss ?? issuer)));
    expect(`application/${protectedHeader.typ}`).toBe(accept);
  }
});
