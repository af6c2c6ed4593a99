import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import type { MerchantInvoiceCollection } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import { Section } from "../../../portal/page-head.tsx";
import { RefreshWhileVisible } from "../../../portal/refresh-while-visible.tsx";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { attemptText } from "./attempt-labels.ts";
import { AttemptTable } from "./attempt-table.tsx";
import { PayNow } from "./pay-now.tsx";

type Props = {
  merchantId: string;
  invoice: MerchantInvoice;
  collection: MerchantInvoiceCollection;
  mayPay: boolean;
  reader: Reader;
};

/** The payment attempts of an invoice, the next step, and the button to pay now. */
export const InvoicePayment = ({ merchantId, invoice, collection, mayPay, reader }: Props) => {
  const { attempts, method, isPayable } = collection;
  const isOwed = invoice.status === "open" || invoice.status === "uncollectible";
  if (!isOwed && attempts.length === 0) return null;
  return (
    <Section title="Payment">
      {isOwed ? <NextStep collection={collection} reader={reader} /> : null}
      {mayPay && method !== null ? (
        <PayNow
          merchantId={merchantId}
          invoiceId={invoice.id}
          amount={formatAmount(invoice.amountDueMinor, invoice.currency, reader)}
          method={method}
          isPayable={isPayable}
        />
      ) : null}
      {isPayable && !mayPay ? <p className="small muted">Owners and admins can pay the invoice.</p> : null}
      {attempts.length > 0 ? <AttemptTable attempts={attempts} reader={reader} /> : null}
    </Section>
  );
};

const methodLink = <Link href="/merchant/billing/details">Payment and tax</Link>;

const NextStep = ({ collection, reader }: Pick<Props, "collection" | "reader">) => {
  const [last] = collection.attempts;
  if (last?.state === "processing" || last?.state === "unknown") {
    return (
      <>
        <RefreshWhileVisible everyMilliseconds={5_000} />
        <Notice tone="note">
          A payment of this invoice is in progress. To prevent a double payment, you can pay again only after its
          outcome is known.
        </Notice>
      </>
    );
  }
  if (collection.method === null) {
    return collection.lacksMethod ? (
      <Notice tone="warn">No payment method is set. Set one under {methodLink}.</Notice>
    ) : (
      <Notice tone="note">
        This invoice can’t be paid by card here yet. To pay it, write to the e-mail address at the bottom of its PDF.
      </Notice>
    );
  }
  const next =
    collection.nextAttemptAt === null
      ? null
      : `The next attempt is made on ${formatDateTime(new Date(collection.nextAttemptAt), reader)} with ${collection.method}.`;
  if (last?.state !== "declined") return next === null ? null : <p className="small muted">{next}</p>;
  return (
    <Notice tone="warn">
      {attemptText(last)} {next ?? <>No further attempt is planned. Set another card under {methodLink}, or pay now.</>}
    </Notice>
  );
};
