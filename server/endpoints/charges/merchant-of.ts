import type { MerchantActor } from "../../charges/charge/settled-by.ts";
import { OAuthError } from "../../kernel/errors.ts";

/**
 * The payee is the authenticated client's merchant, never a body field.
 * @throws OAuthError if the token isn't a merchant's.
 */
export const merchantOf = (caller: { merchantId: string | null }): string => {
  if (caller.merchantId === null)
    throw new OAuthError("invalid_token", "the access token is not from a merchant client");
  return caller.merchantId;
};

export const clientActor = ({ clientId }: { clientId: string }): MerchantActor => ({ kind: "client", id: clientId });
