import type { Deps } from "../../deps/deps.ts";
import { signJws } from "../../kernel/crypto/jws.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { VerifyRequest } from "./charge.wire.ts";

type Receipt = { id: string; verdict: object; merchantId: string; request: VerifyRequest };

/**
 * A JWS of the verdict and the request, so that the merchant can prove the answer later. Its time is real time, like in
 * every signature, even if the business time of the verdict differs.
 * @param receipt.id the id of the verification; the billed item refers to the receipt by this id.
 */
export const signReceipt = (
  deps: Pick<Deps, "clock" | "keys" | "config">,
  { id, verdict, merchantId, request }: Receipt,
): string => {
  const { kid, alg, privateKey } = deps.keys.signingKey("receipt");
  const { amount, currency, payer_presence, nonce, transaction_id } = request;
  const claims = {
    iss: deps.config.baseUrl,
    jti: id,
    aud: merchantId,
    iat: epochSeconds(deps.clock.now()),
    env: deps.config.environment,
    request: { amount, currency, payer_presence, nonce, transaction_id },
    verdict,
  };
  return signJws({ alg, kid, typ: "paygrant-receipt+jwt" }, claims, privateKey);
};
