import type { en } from "../en/index.ts";
import type { Texts } from "../texts.ts";
import { accountAccess } from "./account/account-access.ts";
import { profile } from "./account/profile.ts";
import { security } from "./account/security.ts";
import { signIn } from "./account/sign-in.ts";
import { signUp } from "./account/sign-up.ts";
import { activity } from "./activity.ts";
import { approvals } from "./approvals.ts";
import { connectedApps } from "./connected-apps.ts";
import { consent } from "./consent.ts";
import { consentForm } from "./consent-form.ts";
import { consentMethod } from "./consent-method.ts";
import { accountMails } from "./mails/account-mails.ts";
import { mail } from "./mails/mail.ts";
import { paymentMails } from "./mails/payment-mails.ts";
import { securityMails } from "./mails/security-mails.ts";
import { mandates } from "./mandates.ts";
import { notifications } from "./notifications.ts";
import { paymentMethods } from "./payment-methods.ts";
import { privacy } from "./privacy.ts";
import { receipts } from "./receipts.ts";
import { acts } from "./shared/acts.ts";
import { amounts } from "./shared/amounts.ts";
import { errorPage } from "./shared/error-page.ts";
import { formRefusal } from "./shared/form-refusal.ts";
import { frame } from "./shared/frame.ts";
import { passkey } from "./shared/passkey.ts";
import { periods } from "./shared/periods.ts";
import { upcoming } from "./upcoming.ts";
import { wallet } from "./wallet.ts";

export const de: Texts<typeof en> = {
  "account-access": accountAccess,
  "account-mails": accountMails,
  activity,
  acts,
  amounts,
  approvals,
  "connected-apps": connectedApps,
  consent,
  "consent-form": consentForm,
  "consent-method": consentMethod,
  "error-page": errorPage,
  "form-refusal": formRefusal,
  frame,
  mail,
  mandates,
  notifications,
  passkey,
  "payment-mails": paymentMails,
  "payment-methods": paymentMethods,
  periods,
  privacy,
  profile,
  receipts,
  security,
  "security-mails": securityMails,
  "sign-in": signIn,
  "sign-up": signUp,
  upcoming,
  wallet,
};
