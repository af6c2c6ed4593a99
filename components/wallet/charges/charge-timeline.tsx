import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletChargeDetail } from "#server/trpc/wallet/views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Timeline, TimelineItem } from "../../portal/timeline.tsx";

/** The audit entries that payers see. Refused acts, reviews, contradictions and look-ups are left out. */
const shown = [
  "charge.requires_action",
  "charge.approved",
  "charge.processing",
  "charge.unknown",
  "charge.authorized",
  "charge.succeeded",
  "charge.captured",
  "charge.partially_captured",
  "charge.declined",
  "charge.voided",
  "charge.expired",
  "charge.disputed",
  "dispute.opened",
  "dispute.closed",
  "refund.created",
  "refund.succeeded",
  "refund.failed",
] as const;

type Shown = (typeof shown)[number];
type Key<Action extends string> = Action extends `${infer Noun}.${infer Verb}` ? `timeline.${Noun}_${Verb}` : never;

const keyOf = <Action extends Shown>(action: Action) => `timeline.${action.replace(".", "_")}` as Key<Action>;

/** The history of a charge, its refunds and disputes, newest first. */
export const WalletChargeTimeline = ({
  charge,
  now,
  reader,
}: {
  charge: WalletChargeDetail;
  now: Date;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "activity");
  const money = (minor: number) => formatAmount(minor, charge.currency, reader);
  const entries = charge.timeline.flatMap((entry) => {
    const action = shown.find((name) => name === entry.action);
    if (!action) return [];
    const amount = entry.amountMinor === null ? null : money(entry.amountMinor);
    const label = t(keyOf(action), { amount: amount ?? "" });
    // The amount is added to a short label. A label that is a sentence already contains the amount, if it has one.
    const text = amount === null || label.endsWith(".") ? label : t("timeline.withAmount", { text: label, amount });
    return [{ ...entry, text: action === "charge.partially_captured" ? t("timeline.restReleased", { text }) : text }];
  });
  const first = t("timeline.requested", { merchant: charge.merchant.name, amount: money(charge.amountMinor) });
  return (
    <Timeline>
      {entries.map(({ at, subjectId, action, text }) => (
        <TimelineItem key={`${at}-${subjectId}-${action}`} at={at} now={now} reader={reader}>
          <span>{text}</span>
        </TimelineItem>
      ))}
      <TimelineItem at={charge.createdAt} now={now} reader={reader}>
        <span>{first}</span>
      </TimelineItem>
    </Timeline>
  );
};
