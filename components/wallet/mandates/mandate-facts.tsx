import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { endOf, isLive } from "../../format/mandate-labels.ts";
import { dateTime, listed, money, type Reader, untilWords, zoneName } from "../../format/values.ts";
import styles from "./mandate-facts.module.css";

/** Everything granted that isn't a figure of a limit. */
export const MandateFacts = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const zone = { ...reader, timeZone: mandate.timeZone };
  const places = mandate.payees.map((payee) =>
    "name" in payee ? payee.name : `merchants of category ${payee.category}`,
  );
  const facts: [string, string][] = [
    ["May be used at", places.length > 0 ? listed(places) : "any registered merchant"],
    ["Pays with", mandate.paymentMethod?.label ?? "no payment method"],
    ["Runs from", `${dateTime(new Date(mandate.validFrom), zone)}, ${zoneName(mandate.timeZone)}`],
    isLive(mandate)
      ? ["Runs until", `${untilWords(new Date(mandate.validUntil), zone)}, ${zoneName(mandate.timeZone)}`]
      : ["Ended", `${dateTime(endOf(mandate), zone)}, ${zoneName(mandate.timeZone)}`],
    [
      "While you are away",
      mandate.payerPresence.includes("off_session") ? "payments may be made" : "no payment may be made",
    ],
    [
      "Asks you before a payment",
      mandate.stepUpAboveMinor === null
        ? "no, any payment within the limits may be made"
        : `of more than ${money(mandate.stepUpAboveMinor, mandate.currency, reader)}`,
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
