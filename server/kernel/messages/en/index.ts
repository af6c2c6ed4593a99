import { acts } from "./acts.ts";
import { consentMethod } from "./consent-method.ts";
import { frame } from "./frame.ts";
import { passkey } from "./passkey.ts";
import { paymentMethods } from "./payment-methods.ts";
import { securityMails } from "./security-mails.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

/** Each area's key is the name of its file. */
export const en = {
  acts,
  "consent-method": consentMethod,
  frame,
  passkey,
  "payment-methods": paymentMethods,
  "security-mails": securityMails,
  "sign-in": signIn,
  "sign-up": signUp,
} as const;
