import type { MerchantStanding } from "#server/kernel/merchant-standing.ts";
import type { ProcessorState } from "#server/merchants/rules/processor-state.ts";
import { Link } from "../ui/link.tsx";
import { Notice } from "../ui/notice.tsx";

const processorReasons: Readonly<Record<Exclude<ProcessorState, "enabled">, string>> = {
  not_connected: "Its Stripe account isn’t connected yet.",
  details_needed: "Stripe needs more details.",
  in_review: "Stripe is checking its details. We e-mail the owners and admins when it can charge.",
  restricted: "Stripe stopped its payments, because details are overdue.",
  disabled: "Stripe disabled its account.",
  disconnected: "Its Stripe account was disconnected.",
};

/** Says why a merchant can't charge, and what happens next. */
export const StandingNotice = ({
  name,
  standing,
  processorState,
  unpaidInvoiceId,
}: {
  name: string;
  standing: MerchantStanding;
  /** the state of the account at the processor, if charges are refused because of this account */
  processorState: Exclude<ProcessorState, "enabled"> | null;
  /** an unpaid invoice that causes charges to be refused; null if there is none */
  unpaidInvoiceId: string | null;
}) => {
  switch (standing) {
    case "active":
      return null;
    case "suspended":
      return (
        <Notice tone="warn">
          <b>{name} is suspended.</b> New payments are refused. You can still capture, void and refund earlier payments.
          We e-mail the owners and admins when the suspension is lifted.
        </Notice>
      );
    case "unpaid":
      return <UnpaidNotice name={name} invoiceId={unpaidInvoiceId} />;
    case "no_plan":
      return (
        <Notice tone="warn">
          <b>The plan of {name} has ended.</b> New payments are refused until we assign a new plan. You can still
          capture, void and refund earlier payments.
        </Notice>
      );
    case "pending":
      return (
        <Notice tone="note">
          <b>{name} is waiting for approval.</b> You can view the dashboard and invite your team. After the approval,
          you can register apps. We e-mail the decision to the owners.
        </Notice>
      );
    case "declined":
      return (
        <Notice tone="bad">
          <b>{name} was not approved.</b> It can’t register apps or charge. We sent the reason to the owners by e-mail.
        </Notice>
      );
    case "not_connected":
      return (
        <Notice tone={processorState === "in_review" ? "note" : "warn"}>
          <b>{name} can’t charge.</b> {processorReasons[processorState ?? "not_connected"]}{" "}
          <Link href="/merchant/settings">Go to the settings</Link>
        </Notice>
      );
  }
};

const UnpaidNotice = ({ name, invoiceId }: { name: string; invoiceId: string | null }) => (
  <Notice tone="bad">
    <b>{name} has an unpaid invoice.</b> New payments are refused until it is paid. You can still capture, void and
    refund earlier payments.{" "}
    {invoiceId === null ? (
      <Link href="/merchant/billing/invoices">Go to the invoices</Link>
    ) : (
      <Link href={`/merchant/billing/invoices/${invoiceId}`}>See the invoice</Link>
    )}
  </Notice>
);
