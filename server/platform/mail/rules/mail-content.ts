import type { AccountMailContent } from "./account-mail-content.ts";
import type { PaymentMailContent } from "./payment-mail-content.ts";
import type { SecurityMailContent } from "./security-mail-content.ts";
import type { TransferMailContent } from "./transfer-mail-content.ts";

/** The data of each kind of mail. Names are as their owners chose them. */
export type MailContent =
  | AccountMailContent
  | PaymentMailContent
  | SecurityMailContent
  | TransferMailContent
  | {
      kind: "webhook_endpoint_off";
      endpointId: string;
      url: string;
      reason: "failing" | "gone";
      /** the page of a merchant's endpoint; the endpoint of an agent has no page */
      endpointPageUrl?: string;
      /** the documentation of webhooks */
      docsUrl: string;
    }
  | {
      /** an operator suspended a merchant or lifted the suspension */
      kind: "merchant_suspended" | "merchant_resumed";
      merchantName: string;
      at: Date;
      /** the recipient's */
      timeZone: string;
      /** the merchant's dashboard */
      dashboardUrl: string;
    }
  | {
      /** for operators: a new merchant is waiting for approval */
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
      /** the recipient's */
      timeZone: string;
      dashboardUrl: string;
    }
  | {
      /** to register a merchant; the only place where the link's token appears */
      kind: "merchant_invitation";
      invitationUrl: string;
      /** the recipient's */
      timeZone: string;
      expiresAt: Date;
    }
  | {
      /** for owners and admins: the processor has started or stopped accepting the merchant's charges */
      kind: "charges_enabled" | "charges_stopped";
      merchantName: string;
      at: Date;
      settingsUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for owners and admins */
      kind: "team_joined";
      merchantName: string;
      memberName: string;
      memberEmail: string;
      role: string;
      at: Date;
      /** the recipient's */
      timeZone: string;
      teamUrl: string;
    }
  | {
      /** for the member */
      kind: "team_role_changed" | "team_removed";
      merchantName: string;
      /** the new role; null: removed */
      role: string | null;
      at: Date;
      /** the recipient's */
      timeZone: string;
      dashboardUrl: string;
    }
  | {
      /** for the old and the new owner */
      kind: "ownership_transferred";
      merchantName: string;
      oldOwnerName: string;
      newOwnerName: string;
      at: Date;
      /** the recipient's */
      timeZone: string;
      teamUrl: string;
    }
  | {
      /** for the merchant's owners and admins, or the contacts of a participant: the first failed check of a domain */
      kind: "domain_check_failed";
      domain: string;
      participantName: string;
      /** the URL of the document, and the name of the TXT record: either of them proves the claim */
      url: string;
      record: string;
      provedAt: Date;
      /** when the domain becomes unverified if all checks fail */
      unverifiedFrom: Date;
      /** the page on which the owner checks the domain; without a merchant, the entry's public page */
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: several checks in a row failed */
      kind: "domain_unverified";
      domain: string;
      participantName: string;
      url: string;
      record: string;
      provedAt: Date;
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: metadata or keys that the participant publishes have changed */
      kind: "metadata_changed";
      participantName: string;
      changes: readonly { uri: string; part: "metadata" | "jwks" }[];
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: an operator suspended the entry, or lifted the suspension */
      kind: "entry_suspended" | "entry_resumed";
      participantName: string;
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: the hourly check accepted other keys of the federation entity */
      kind: "federation_keys_changed";
      participantName: string;
      entityId: string;
      keyCount: number;
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: the federation entity is no longer a subordinate of the directory */
      kind: "federation_left";
      participantName: string;
      entityId: string;
      /** why the last fetch failed: a sentence */
      problem: string;
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      /** for the same recipients: an operator deleted an app of the entry */
      kind: "app_deleted";
      participantName: string;
      appName: string;
      clientId: string;
      at: Date;
      entryUrl: string;
      /** the recipient's */
      timeZone: string;
    }
  | {
      kind: "merchant_declined";
      merchantName: string;
      reason: string;
      at: Date;
      /** the recipient's */
      timeZone: string;
      dashboardUrl: string;
    }
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
      /** one update of an incident or a maintenance window */
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
      /** to the members who pay for the merchant */
      kind: "invoice";
      merchantName: string;
      number: string;
      amountMinor: bigint;
      currency: string;
      /** the last day, in UTC */
      dueOn: Date;
      /** whether the merchant's payment method is charged when the invoice is issued */
      isCollected: boolean;
      /** when new charges are refused if the invoice isn't paid */
      suspendedOn: Date;
      invoiceUrl: string;
    }
  | {
      /** an invoice wasn't paid */
      kind: "dunning";
      merchantName: string;
      number: string;
      amountMinor: bigint;
      currency: string;
      dueOn: Date;
      /** a payment was declined, or the due date passed and the merchant has no payment method */
      cause: "declined" | "no_payment_method";
      /** 1 for the first reminder */
      reminder: number;
      /** when new live charges are refused; null if that isn't planned yet */
      suspendedOn: Date | null;
      invoiceUrl: string;
    }
  | {
      /** for owners and admins: the period's cost reached a budget alert */
      kind: "budget_alert";
      merchantName: string;
      alertName: string;
      currency: string;
      /** the amount that was reached */
      thresholdMinor: bigint;
      /** null: the alert is for an amount */
      percent: number | null;
      spentMinor: bigint;
      /** the last day of the period, in the subscription's time zone */
      periodEndsOn: Date;
      timeZone: string;
      billingUrl: string;
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
    };

export type MailKind = MailContent["kind"];

/** The content of one kind of mail. */
export type ContentOf<Kind extends MailKind> = Extract<MailContent, { kind: Kind }>;
