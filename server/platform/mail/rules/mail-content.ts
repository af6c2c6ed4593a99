/** Amounts and times follow the recipient's locale and time zone. */
export type MailReader = { locale: string; timeZone: string };

/** What each kind of mail needs. Names are as their owners chose them. */
export type MailContent =
  | {
      /** a payment above `step_up_above`, or one that the bank authenticates (3-D Secure) */
      kind: "approval_needed" | "confirmation_needed";
      merchantName: string;
      clientName: string;
      amountMinor: bigint;
      currency: string;
      /** the page to approve the payment, or to continue at the bank */
      approvalUrl: string;
      /** nothing is charged without an approval by then */
      expiresAt: Date;
      /** later requests of this mandate appear in the wallet only, for up to an hour */
      isLast: boolean;
      reader: MailReader;
    }
  | {
      /** a charge that a merchant will make */
      kind: "charge_announced";
      merchantName: string;
      clientName: string;
      amountMinor: bigint;
      currency: string;
      reference: string | null;
      dueAt: Date;
      /** the page with the announced charge, on which the payer can pause the mandate */
      noticeUrl: string;
      reader: MailReader;
    }
  | { kind: "webhook_endpoint_off"; endpointId: string; url: string; reason: "failing" | "gone" }
  | {
      /** an operator suspended a merchant or lifted the suspension */
      kind: "merchant_suspended" | "merchant_resumed";
      merchantName: string;
      at: Date;
      /** the merchant's dashboard */
      dashboardUrl: string;
    }
  | {
      /** for operators: a new merchant waits for approval */
      kind: "merchant_review_needed";
      merchantName: string;
      legalName: string;
      /** ISO 3166-1 alpha-2 */
      country: string;
      websiteUri: string;
      reviewUrl: string;
    }
  | {
      kind: "merchant_approved";
      merchantName: string;
      /** whether an account at the processor must be connected before the first charge */
      mustConnect: boolean;
      at: Date;
      dashboardUrl: string;
    }
  | { kind: "merchant_declined"; merchantName: string; reason: string; at: Date; dashboardUrl: string }
  | {
      kind: "status_alert";
      componentName: string;
      /** `page_*`: urgent; `ticket`: not urgent */
      rule: "page_fast" | "page_slow" | "ticket";
      /** null: the alert is over */
      burnRate: number | null;
      at: Date;
      statusUrl: string;
    }
  | {
      /** confirms a subscription to the status page */
      kind: "status_confirm";
      /** names; empty: all */
      components: readonly string[];
      confirmUrl: string;
    }
  | {
      /** one update of an incident or a maintenance */
      kind: "status_update";
      stateName: string;
      title: string;
      text: string;
      components: readonly string[];
      at: Date;
      updateUrl: string;
      manageUrl: string;
    }
  | {
      kind: "postmortem_due";
      /** the title of the incident */
      title: string;
      /** the last day in UTC */
      dueOn: Date;
      isOverdue: boolean;
      /** its page in the operator console */
      incidentUrl: string;
    }
  | {
      /** proves the address of a sign-up */
      kind: "verification";
      /** six digits */
      code: string;
      /** a page with a button: opening it verifies nothing */
      confirmUrl: string;
      expiresAt: Date;
      reader: MailReader;
    }
  | {
      /** someone signed up with the address of an account */
      kind: "account_exists";
      signInUrl: string;
      reader: MailReader;
    }
  | {
      /** the owner is informed, because someone else may have signed in */
      kind: "passkey_added" | "passkey_removed";
      /** the name of the passkey */
      name: string;
      at: Date;
      /** the page with passkeys and sessions */
      securityUrl: string;
      reader: MailReader;
    }
  | AccountMailContent;

/** The device and the place of a request, for mails about sign-ins. */
type Whereabouts = { userAgent: string | null; place: { country: string; city: string | null } | null };

/** About the ways to sign in to an account. */
type AccountMailContent =
  | { kind: "password_reset"; resetUrl: string; expiresAt: Date; reader: MailReader }
  | {
      /** someone requested a reset for an address without an account */
      kind: "reset_unknown";
      signUpUrl: string;
      reader: MailReader;
    }
  | { kind: "email_change_code"; code: string; confirmUrl: string; expiresAt: Date; reader: MailReader }
  | {
      /** someone wants to move their account to an address that has an account */
      kind: "email_change_taken";
      signInUrl: string;
      reader: MailReader;
    }
  | {
      /** to the old address */
      kind: "email_changed";
      /** masked */
      newEmail: string;
      at: Date;
      reader: MailReader;
    }
  | (Whereabouts & { at: Date; securityUrl: string; reader: MailReader } & (
        | { kind: "new_sign_in" }
        | { kind: "password_changed"; change: "set" | "changed" | "removed" | "reset" }
        | { kind: "recovery_codes_created" }
        | { kind: "recovery_code_used"; left: number }
      ));

export type MailKind = MailContent["kind"];

/** The content of one kind of mail. */
export type ContentOf<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>;
