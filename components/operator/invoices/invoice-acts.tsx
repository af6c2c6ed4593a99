"use client";
import type { OperatorAction } from "#server/accounts/authorize.ts";
import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { ReasonDialog } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { invoice: OperatorInvoice; title: string; email: string };

/** What an operator can do with an invoice in its status. */
export const InvoiceActs = ({ invoice, title, email }: Props) => {
  const { id, type, status, amountPaidMinor, amountCreditedMinor } = invoice;
  const isOpen = type === "invoice" && status === "open";
  const isVoidable =
    isOpen && amountPaidMinor + amountCreditedMinor === 0 && invoice.payments.every(({ state }) => state !== "pending");
  const of = { invoiceId: id, title, email };
  return (
    <div className={styles.acts}>
      {type === "invoice" && (status === "open" || status === "paid") && invoice.totalMinor > 0 ? (
        <IfAllowed action="billing_invoice.credit">
          <ButtonLink href={`/operator/invoices/${id}/credit-note`} size="small">
            Create credit note
          </ButtonLink>
        </IfAllowed>
      ) : null}
      {isOpen ? <InvoiceAct {...of} {...writeOff} /> : null}
      {isVoidable ? <InvoiceAct {...of} {...voiding} /> : null}
      {invoice.isDecisionDue ? <InvoiceAct {...of} {...deciding} /> : null}
    </div>
  );
};

type Kind = {
  action: OperatorAction;
  label: string;
  question: string;
  effect: string;
  variant: "danger" | "primary" | "plain";
  perform: (input: { invoiceId: string; reason: string }) => Promise<unknown>;
};

const writeOff: Kind = {
  action: "billing_invoice.write_off",
  label: "Mark as uncollectible",
  question: "Mark this invoice as uncollectible?",
  effect:
    "The amount due becomes bad debt, and no further payment is attempted. The merchant can still pay the invoice. If new charges are refused because of this invoice, they stay refused until it is paid.",
  variant: "plain",
  perform: (input) => trpc.operatorInvoices.markUncollectible.mutate(input),
};

const voiding: Kind = {
  action: "billing_invoice.void",
  label: "Void",
  question: "Void this invoice?",
  effect:
    "The invoice is canceled and its ledger entries are reversed. Credits that it used are returned. Its usage isn’t billed again. This can’t be undone.",
  variant: "danger",
  perform: (input) => trpc.operatorInvoices.void.mutate(input),
};

const deciding: Kind = {
  action: "billing_invoice.decide_tax",
  label: "Issue without tax",
  question: "Issue this draft without tax?",
  effect:
    "The next billing run issues this draft, and the drafts of the same period in other currencies, without tax (category O, out of scope). Do this only if the merchant’s tax region can’t be determined.",
  variant: "primary",
  perform: (input) => trpc.operatorInvoices.decideTax.mutate(input),
};

const InvoiceAct = ({
  invoiceId,
  title,
  email,
  ...kind
}: Kind & { invoiceId: string; title: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <IfAllowed action={kind.action}>
      <Button size="small" variant={kind.variant} onClick={open}>
        {kind.label}
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant={kind.variant === "danger" ? "dangerSolid" : "primary"}
        title={kind.question.replace("this invoice", title)}
        confirmLabel={kind.label}
        onConfirm={(reason) => run(() => kind.perform({ invoiceId, reason }))}
      >
        {kind.effect}
      </ReasonDialog>
    </IfAllowed>
  );
};
