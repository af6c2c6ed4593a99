import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDateTime, formatEnd, formatTimeZone } from "../../format/dates.ts";
import { isLiveMandate, mandateEnd } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import styles from "./mandate-facts.module.css";

/** The terms of a mandate that are not limits. */
export const MandateFacts = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const zone = { ...reader, timeZone: mandate.timeZone };
  const places = mandate.payees.map((payee) =>
    "name" in payee ? payee.name : `merchants of category ${payee.category}`,
  );
  const facts: [string, string][] = [
    ["Payees", places.length > 0 ? formatList(places) : "any registered merchant"],
    ["Payment method", mandate.paymentMethod?.label ?? "no payment method"],
    ["Starts", `${formatDateTime(new Date(mandate.validFrom), zone)}, ${formatTimeZone(mandate.timeZone)}`],
    isLiveMandate(mandate)
      ? ["Ends", `${formatEnd(new Date(mandate.validUntil), zone)}, ${formatTimeZone(mandate.timeZone)}`]
      : ["Ended", `${formatDateTime(mandateEnd(mandate), zone)}, ${formatTimeZone(mandate.timeZone)}`],
    ["Payments when you’re not present", mandate.payerPresence.includes("off_session") ? "allowed" : "not allowed"],
    [
      "Needs your approval",
      mandate.stepUpAboveMinor === null
        ? "no, payments within the limits need no approval"
        : `payments above ${formatAmount(mandate.stepUpAboveMinor, mandate.currency, reader)}`,
    ],
    ["Merchants see your remaining limit", mandate.budgetVisible ? "yes" : "no"],
    ["Mandate ID", mandate.version > 1 ? `${mandate.id}, version ${mandate.version}` : mandate.id],
  ];
  return (
    <dl className={`card ${styles.facts}`}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
