import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDateTime, formatEnd, formatTimeZone } from "../../format/dates.ts";
import { isLiveMandate, mandateEnd } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList } from "../../format/text.ts";
import styles from "./mandate-facts.module.css";

/** Everything granted that isn't a figure of a limit. */
export const MandateFacts = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const zone = { ...reader, timeZone: mandate.timeZone };
  const places = mandate.payees.map((payee) =>
    "name" in payee ? payee.name : `merchants of category ${payee.category}`,
  );
  const facts: [string, string][] = [
    ["May be used at", places.length > 0 ? formatList(places) : "any registered merchant"],
    ["Pays with", mandate.paymentMethod?.label ?? "no payment method"],
    ["Runs from", `${formatDateTime(new Date(mandate.validFrom), zone)}, ${formatTimeZone(mandate.timeZone)}`],
    isLiveMandate(mandate)
      ? ["Runs until", `${formatEnd(new Date(mandate.validUntil), zone)}, ${formatTimeZone(mandate.timeZone)}`]
      : ["Ended", `${formatDateTime(mandateEnd(mandate), zone)}, ${formatTimeZone(mandate.timeZone)}`],
    [
      "While you are away",
      mandate.payerPresence.includes("off_session") ? "payments may be made" : "no payment may be made",
    ],
    [
      "Asks you before a payment",
      mandate.stepUpAboveMinor === null
        ? "no, any payment within the limits may be made"
        : `of more than ${formatAmount(mandate.stepUpAboveMinor, mandate.currency, reader)}`,
    ],
    ["Merchants see what is left", mandate.budgetVisible ? "yes" : "no"],
    ["Mandate", mandate.version > 1 ? `${mandate.id}, version ${mandate.version}` : mandate.id],
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
