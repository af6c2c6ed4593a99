import type { MailReader } from "./mail-reader.ts";

type Payment = {
  merchantName: string;
  clientName: string;
  amountMinor: bigint;
  currency: string;
  reader: MailReader;
};

/** A limit of which 80 percent or more is used. */
export type MailLimit = {
  /** a period, or the lifetime of the mandate */
  period: "total" | "day" | "week" | "month" | "quarter" | "year";
  used: bigint;
  cap: bigint;
  /** null: the limit is a number of payments */
  currency: string | null;
  resetsAt: Date | null;
};

/** E-mails about mandates and payments, in the language of the reader's locale. */
export type PaymentMailContent =
  | (Payment & {
      /** a payment above `step_up_above`, or one that the bank authenticates (3-D Secure) */
      kind: "approval_needed" | "confirmation_needed";
      /** the page to approve the payment, or to continue at the bank */
      approvalUrl: string;
      /** if the payer doesn't approve by then, nothing is charged */
      expiresAt: Date;
      /** later requests of this mandate appear in the wallet only, for up to an hour */
      isLast: boolean;
    })
  | (Payment & {
      /** a charge that a merchant will make */
      kind: "charge_announced";
      reference: string | null;
      dueAt: Date;
      /** the page with the announced payment, on which the payer can pause the mandate */
      noticeUrl: string;
    })
  | (Payment & {
      kind: "charge_failed";
      /** the processor's code, for example `insufficient_funds`; null if unknown */
      declineCode: string | null;
      at: Date;
      /** the page of the charge */
      chargeUrl: string;
    })
  | {
      kind: "consent_given";
      clientName: string;
      /** the permissions that were granted, one sentence each, in the reader's language */
      terms: readonly string[];
      at: Date;
      mandateUrl: string;
      reader: MailReader;
    }
  | {
      /** the payer approved new terms, which replaced terms that the client already had */
      kind: "mandate_changed";
      change: "replaced";
      clientName: string;
      terms: readonly string[];
      /** the number of mandates that ended with the replacement */
      ended: number;
      at: Date;
      mandateUrl: string;
      reader: MailReader;
    }
  | {
      kind: "mandate_changed";
      clientName: string;
      change: "suspended" | "resumed" | "revoked" | "narrowed" | "method";
      /** after `narrowed`: the limits that apply now, one sentence each, in the reader's language; otherwise empty */
      limits: readonly string[];
      /** the purpose of the mandate; null if there are several */
      purpose: string | null;
      /** the number of mandates that changed together */
      count: number;
      by: "payer" | "client" | "operator" | "merchant" | "system";
      at: Date;
      mandateUrl: string;
      reader: MailReader;
    }
  | {
      kind: "limit_near";
      clientName: string;
      /** at least one */
      limits: readonly MailLimit[];
      mandateUrl: string;
      reader: MailReader;
    };
