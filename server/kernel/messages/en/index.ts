import { activity } from "./activity.ts";
import { acts } from "./acts.ts";
import { amounts } from "./amounts.ts";
import { approvals } from "./approvals.ts";
import { consent } from "./consent.ts";
import { consentMethod } from "./consent-method.ts";
import { frame } from "./frame.ts";
import { accountMails } from "./mails/account-mails.ts";
import { mail } from "./mails/mail.ts";
import { paymentMails } from "./mails/payment-mails.ts";
import { securityMails } from "./mails/security-mails.ts";
import { mandates } from "./mandates.ts";
import { passkey } from "./passkey.ts";
import { paymentMethods } from "./payment-methods.ts";
import { periods } from "./periods.ts";
import { receipts } from "./receipts.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";
import { upcoming } from "./upcoming.ts";
import { wallet } from "./wallet.ts";

/** Each area's key is the name of its file. */
export const en = {
  "account-mails": accountMails,
  activity,
  acts,
  amounts,
  approvals,
  consent,
  "consent-method": consentMethod,
  frame,
  mail,
  mandates,
  passkey,
  "payment-mails": paymentMails,
  "payment-methods": paymentMethods,
  periods,
  receipts,
  "security-mails": securityMails,
  "sign-in": signIn,
  "sign-up": signUp,
  upcoming,
  wallet,
} as const;
