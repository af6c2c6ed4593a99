import type { PayerPresence } from "../agents/mandate.ts";
import type { Server } from "../clients/discover.ts";
import { VerificationError } from "../errors/errors.ts";
import type { CallOptions } from "../http/call-options.ts";
import type { Verdict } from "../merchants/objects.ts";
import { toCamel } from "../wire/names.ts";
import { assertIssuer, numberClaim, objectClaim, textClaim, verifyServerJws } from "./verify-jws.ts";

export type ReceiptToVerify = {
  receipt: string;
  /** id of the merchant that asked; by default any merchant */
  merchantId?: string;
};

/** The verdict that the server gave to one merchant, and the time. */
export type VerifiedReceipt = {
  id: string;
  merchantId: string;
  issuedAt: Date;
  environment: string;
  request: {
    amount: number;
    currency: string;
    payerPresence: PayerPresence;
    nonce?: string;
    transactionId?: string;
  };
  verdict: Omit<Verdict, "receipt">;
};

/**
 * Checks the signature, issuer and merchant of a verdict's receipt. A receipt doesn't expire: it proves what the server
 * answered.
 */
export const verifyReceipt = async (
  server: Server,
  { receipt, merchantId }: ReceiptToVerify,
  options: CallOptions = {},
): Promise<VerifiedReceipt> => {
  const claims = await verifyServerJws(server, { jws: receipt, typ: "paygrant-receipt+jwt" }, options);
  assertIssuer(claims["iss"], server);
  const audience = textClaim(claims, "aud");
  if (merchantId !== undefined && audience !== merchantId) {
    throw new VerificationError("audience_mismatch", "The receipt was made for another merchant.");
  }
  return {
    id: textClaim(claims, "jti"),
    merchantId: audience,
    issuedAt: new Date(numberClaim(claims, "iat") * 1000),
    environment: textClaim(claims, "env"),
    request: toCamel(objectClaim(claims, "request")) as VerifiedReceipt["request"],
    verdict: toCamel(objectClaim(claims, "verdict")) as VerifiedReceipt["verdict"],
  };
};
