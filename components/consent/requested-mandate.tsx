import type { ConsentDraft } from "#server/oauth/consent/consent-draft.ts";
import type { Reader } from "../format/reader.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./consent-card.module.css";
import { type Fact, factsByPlace, plainWords } from "./consent-facts.ts";
import {
  type AskedMandate as AskedTerms,
  amountLines,
  beginsAt,
  type ConsentProblem,
  endBefore,
  endsAt,
  endWords,
  outsideWords,
} from "./consent-lines.ts";
import { words } from "./consent-text.ts";
import { AmountRow, EndRow } from "./limit-row.tsx";

/** One mandate of the request: its limits, with what stands now beside them where it is to be changed, and its facts. */
export const AskedMandate = ({
  index,
  count,
  mandate,
  isNew,
  clientName,
  reader,
  now,
  draft,
  problem,
}: {
  index: number;
  count: number;
  mandate: AskedTerms;
  /** joins others that are to be changed */
  isNew: boolean;
  clientName: string;
  reader: Reader;
  now: Date;
  draft: ConsentDraft | null;
  problem: ConsentProblem | null;
}) => {
  const { details } = mandate;
  const { place, others } = factsByPlace(mandate, { clientName, now, reader });
  const typedIn = (field: string | null) => (field === null ? null : (draft?.[field] ?? null));
  const errorOf = (field: string | null) => (field !== null && problem?.field === field ? problem.message : null);
  const end = endWords(details, now, reader);
  const endField = `m${index}_valid_until`;
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const [firstDay, lastDay] = [new Date(beginsAt(details, now).getTime() + 86_400_000), endsAt(details, now)];
  return (
    <section className={styles.mandate} aria-label={count > 1 ? `Mandate ${index + 1} of ${count}` : "Mandate"}>
      {count > 1 ? (
        <h2>
          {index + 1} of {count}
          {isNew ? ", new" : null}
        </h2>
      ) : null}
      {details.purpose ? (
        <p className={styles.purpose}>
          <span className="tiny">In its own words</span>
          <br />
          <q>{details.purpose}</q>
        </p>
      ) : null}
      <ul className={`${styles.facts} ${styles.place}`}>
        {place.map((fact) => (
          <FactItem key={fact.topic} fact={fact} />
        ))}
      </ul>
      <div className={styles.limits}>
        {amountLines(mandate, index, now).map((line) => (
          <AmountRow
            key={line.field ?? line.label}
            {...line}
            currency={details.currency}
            locale={reader.locale}
            typed={typedIn(line.field)}
            error={errorOf(line.field)}
          />
        ))}
        <EndRow
          field={endField}
          label="Ends"
          note={end.note}
          words={end.text}
          before={endBefore(mandate, now, reader)}
          min={day(firstDay)}
          max={day(lastDay)}
          zone={{ ...reader, timeZone: details.time_zone ?? "UTC" }}
          outside={outsideWords(firstDay, lastDay, reader)}
          typed={typedIn(endField)}
          error={errorOf(endField)}
        />
      </div>
      <ul className={styles.facts}>
        {others.map((fact) => (
          <FactItem key={fact.topic} fact={fact} />
        ))}
        <li>
          <Icon name="clock" />
          <span>{words.inFlight}</span>
        </li>
      </ul>
    </section>
  );
};

const FactItem = ({ fact: { icon, isWarning, text, before } }: { fact: Fact }) => (
  <li className={isWarning ? styles.warn : undefined}>
    <Icon name={icon} />
    <span>
      {text.map((part) => (typeof part === "string" ? part : <b key={part.strong}>{part.strong}</b>))}
      {before === undefined ? null : (
        <span className={styles.before}>{before === null ? "New" : `Now: ${plainWords(before)}`}</span>
      )}
    </span>
  </li>
);
