import type { Reader } from "../../format/reader.ts";
import { Field } from "../../ui/field/field.tsx";
import { Link } from "../../ui/link.tsx";
import styles from "./date-filter.module.css";
import { type DateRange, type RangePreset, rangePresets } from "./date-range.ts";

/** Payer-facing pages pass the texts in the payer's language. */
export type DateFilterTexts = Record<"from" | "to" | "periods" | RangePreset["name"] | "invalid" | "reversed", string>;

const english: DateFilterTexts = {
  from: "From",
  to: "To",
  periods: "Periods",
  today: "Today",
  week: "7 days",
  thirtyDays: "30 days",
  month: "This month",
  invalid: "Enter a valid date, such as 2026-11-26.",
  reversed: "The end can’t be before the start.",
};

/**
 * Two dates of a `FilterForm`, and links to the usual periods. @param addressOf the address of the list with this
 * range and the other filters.
 */
export const DateFilter = ({
  range,
  now,
  reader,
  addressOf,
  texts = english,
}: {
  range: DateRange;
  now: Date;
  reader: Reader;
  addressOf: (range: { from: string; to: string }) => string;
  texts?: DateFilterTexts;
}) => (
  <div className={styles.filter} data-columns="2">
    <div className={styles.fields}>
      <Field label={texts.from} name="from" type="date" defaultValue={range.from} />
      <Field
        label={texts.to}
        name="to"
        type="date"
        defaultValue={range.to}
        error={range.problem ? texts[range.problem] : undefined}
      />
    </div>
    <nav className={styles.presets} aria-label={texts.periods}>
      {rangePresets(now, reader.timeZone).map(({ name, from, to }) => (
        <Link
          key={name}
          href={addressOf({ from, to })}
          aria-current={from === range.from && to === range.to ? "true" : undefined}
        >
          {texts[name]}
        </Link>
      ))}
    </nav>
  </div>
);
