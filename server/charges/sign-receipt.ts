import type { Deps } from "../deps.ts";
import { epochSeconds } from "../kernel/clock.ts";
import { signJws } from "../kernel/jws.ts";
import type { VerifyRequest } from "./charge.wire.ts";

type Receipt = { verdict: object; merchantId: string; request: VerifyRequest; at: Date };

/** A JWS of the verdict with what was asked, so that the merchant can show later what it was told. */
export const signReceipt = (
  deps: Pick<Deps, "keys" | "config">,
  { verdict, merchantId, request, at }: Receipt,
): string => {
  const { kid, alg, privateKey } = deps.keys.signingKey("receipt");
  const { amount, currency, payer_presence, nonce, transaction_id } = request;
  const claims = {
    iss: deps.config.baseUrl,
    aud: merchantId,
    iat: epochSeconds(at),
    env: deps.config.environment,
    request: { amount, currency, payer_presence, nonce, transaction_id },
    verdict,
  };
  return signJws({ alg, kid, typ: "paygrant-receipt+jwt" }, claims, privateKey);
};
