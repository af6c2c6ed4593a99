import { translator } from "#server/kernel/messages/translator.ts";
import type { VersionChange } from "#server/mandates/rules/version-changes.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatEnd } from "../../format/dates.ts";
import { isLiveMandate, limitLabel, type MandateTexts } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Timeline, TimelineItem } from "../../portal/timeline.tsx";

type TimelineEntry = {
  at: string;
  actorKind: string;
  action: string;
  /** the merchant whose charge was refused */
  merchantName: string | null;
  /**
   * `version`: the mandate's version after the entry. `grant_id`: the request changes an existing grant. `amount`, in
   * minor units, and `codes`: the refused charge and why it was refused.
   */
  data: {
    version?: number | undefined;
    grant_id?: string | undefined;
    from?: string | null | undefined;
    to?: string | undefined;
    amount?: number | undefined;
    currency?: string | undefined;
    codes?: readonly string[] | undefined;
  };
  changes: readonly VersionChange[];
};

type Formats = { mandate: WalletMandate; reader: Reader; t: MandateTexts };

const acts = [
  "activated",
  "rejected",
  "narrowed",
  "replaced",
  "replacement_declined",
  "suspended",
  "resumed",
  "revoked",
] as const;

const ends = {
  "mandate.expired": "expired",
  "mandate.consumed": "consumed",
  "authorization_request.pushed": "requested",
  "authorization_request.opened": "opened",
  "credential.issued": "issued",
  "credential.withdrawn": "withdrawn",
} as const;

const isEnd = (action: string): action is keyof typeof ends => Object.hasOwn(ends, action);

const reasons = [
  "amount_exceeds_per_payment",
  "period_limit_exceeded",
  "total_limit_exceeded",
  "count_limit_exceeded",
  "currency_mismatch",
  "payee_not_allowed",
  "category_not_allowed",
  "presence_not_allowed",
  "outside_validity_window",
  "mandate_suspended",
] as const;

/** Why the mandate didn't allow a charge. Codes that aren't in `reasons` are left out. */
const describeReasons = ({ data: { codes = [] } }: TimelineEntry, t: MandateTexts): string[] =>
  reasons.filter((reason) => codes.includes(reason)).map((reason) => t(`timeline.reasons.${reason}`));

const refusal = (
  { merchantName, data: { amount, currency } }: TimelineEntry,
  reader: Reader,
  t: MandateTexts,
): string =>
  merchantName === null || amount === undefined || currency === undefined
    ? t("timeline.refused")
    : t("timeline.refusedAmount", { merchant: merchantName, amount: formatAmount(amount, currency, reader) });

const sentence = (entry: TimelineEntry, { mandate, reader, t }: Formats): string => {
  const { action, actorKind, data } = entry;
  const agent = mandate.client.name;
  if (action === "charge.refused") return refusal(entry, reader, t);
  if (action === "authorization_request.pushed" && data.grant_id !== undefined) {
    return t("timeline.requestedNew", { agent });
  }
  const who = t("timeline.by", { who: actorKind, agent });
  if (action === "mandate.payment_method_changed") {
    return t("timeline.payment_method_changed", { who, from: data.from ?? t("timeline.none"), to: data.to ?? "" });
  }
  const act = acts.find((name) => action === `mandate.${name}`);
  if (act) return t(`timeline.${act}`, { who });
  return isEnd(action) ? t(`timeline.${ends[action]}`) : t("timeline.other");
};

/** `Each payment: €60.00 → €50.00` */
const describeChange = (change: VersionChange, { mandate, reader, t }: Formats): string => {
  if (change.kind === "end") {
    const [before, after] = [change.before, change.after].map((at) =>
      at === null ? t("timeline.none") : formatEnd(new Date(at), reader),
    );
    return t("timeline.end", { before: before ?? "", after: after ?? "" });
  }
  const known = mandate.limits.find(({ key }) => key === change.key);
  const [before, after] = [change.before, change.after].map((value) => {
    if (value === null) return t("timeline.none");
    return change.kind === "count" ? String(value) : formatAmount(value, mandate.currency, reader);
  });
  const limit = known ? limitLabel(known, t, !isLiveMandate(mandate)) : t("limits.other");
  return t("timeline.from", { limit, before: before ?? "", after: after ?? "" });
};

/** The history of the mandate with what each version changed, newest first, from the audit log. */
export const MandateTimeline = ({
  mandate,
  entries,
  now,
  reader,
}: {
  mandate: WalletMandate;
  entries: readonly TimelineEntry[];
  now: Date;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "mandates");
  return (
    <Timeline>
      {entries.map((entry) => (
        <TimelineItem
          key={`${entry.at}-${entry.action}`}
          at={entry.at}
          now={now}
          reader={reader}
          notes={
            entry.data.version === undefined ? [] : [t("timeline.version", { version: String(entry.data.version) })]
          }
        >
          <span>{sentence(entry, { mandate, reader, t })}</span>
          {describeReasons(entry, t).map((reason) => (
            <div key={reason} className="small muted">
              {reason}
            </div>
          ))}
          {entry.changes.map((change) => (
            <div key={change.kind === "end" ? "end" : change.key} className="small muted">
              {describeChange(change, { mandate, reader, t })}
            </div>
          ))}
        </TimelineItem>
      ))}
    </Timeline>
  );
};
