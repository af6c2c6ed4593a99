import type { MailReader } from "./mail-reader.ts";

type Payment = {
  merchantName: string;
  clientName: string;
  amountMinor: bigint;
  currency: string;
  reader: MailReader;
};

/** The limit of a mandate, in the words of the mail: a period, the total amount or the total number of payments. */
type MailLimit = "total" | "total_count" | "day" | "week" | "month" | "quarter" | "year";

/** E-mails about mandates and payments. Their language is that of the reader's locale. */
export type PaymentMailContent =
  | (Payment & {
      /** a payment above `step_up_above`, or one that the bank authenticates (3-D Secure) */
      kind: "approval_needed" | "confirmation_needed";
      /** the page to approve the payment, or to continue at the bank */
      approvalUrl: string;
      /** nothing is charged without an approval by then */
      expiresAt: Date;
      /** later requests of this mandate appear in the wallet only, for up to an hour */
      isLast: boolean;
    })
  | (Payment & {
      /** a charge that a merchant will make */
      kind: "charge_announced";
      reference: string | null;
      dueAt: Date;
      /** the page with the announced charge, on which the payer can pause the mandate */
      noticeUrl: string;
    })
  | (Payment & {
      kind: "charge_failed";
      /** in the reader's language, for example why the bank declined; null if unknown */
      reason: string | null;
      at: Date;
      /** the page of the charge or of its mandate */
      chargeUrl: string;
    })
  | {
      kind: "consent_given";
      clientName: string;
      /** what was allowed, a sentence each, in the language in which it was shown */
      terms: readonly string[];
      at: Date;
      mandateUrl: string;
      reader: MailReader;
    }
  | {
      kind: "mandate_changed";
      clientName: string;
      change: "suspended" | "resumed" | "revoked" | "narrowed" | "method";
      by: "payer" | "client" | "operator" | "merchant" | "system";
      at: Date;
      mandateUrl: string;
      reader: MailReader;
    }
  | {
      /** a limit is used to 80 percent or more */
      kind: "limit_near";
      clientName: string;
      limit: MailLimit;
      used: bigint;
      cap: bigint;
      /** null for a number of payments */
      currency: string | null;
      resetsAt: Date | null;
      mandateUrl: string;
      reader: MailReader;
    };
