import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import type { Brand } from "#server/merchants/brand.ts";
import type { ConsentDraft } from "#server/oauth/consent/consent-draft.ts";
import type { Reader } from "../format/reader.ts";
import { Icon } from "../ui/icon.tsx";
import { PartyLogo } from "../ui/party-logo.tsx";
import styles from "./consent-card.module.css";
import { describeCurrentEnd, describeEndRange, describeMandateEnd, findEndDays } from "./consent-end.ts";
import { type Fact, groupFacts, plainText } from "./consent-facts.ts";
import { listLimits } from "./consent-limits.ts";
import type { ConsentProblem, RequestedMandate } from "./consent-request.ts";
import { CapRow } from "./limits/cap-row.tsx";
import { EndRow } from "./limits/end-row.tsx";

type Props = {
  index: number;
  count: number;
  mandate: RequestedMandate;
  /** the mandate is new, and the request replaces a grant */
  isNew: boolean;
  purposeLabel: string;
  reader: Reader;
  now: Date;
  draft: ConsentDraft | null;
  problem: ConsentProblem | null;
};

/**
 * One mandate of the request, with its limits and its other terms. If the request changes the mandate, the current
 * limits are shown below the new ones.
 */
export const RequestedMandateSection = (props: Props) => {
  const { index, count, mandate, isNew, purposeLabel, reader, now } = props;
  const t = translator(reader.locale, "consent");
  const { purpose } = mandate.details;
  const place = { index: String(index + 1), count: String(count) };
  const { payees, others } = groupFacts(mandate, { now, reader });
  return (
    <section className={styles.mandate} aria-label={count > 1 ? t("mandateOf", place) : t("mandate")}>
      {count > 1 ? <h2>{t(isNew ? "indexOfNew" : "indexOf", place)}</h2> : null}
      {purpose ? (
        <p className={styles.purpose}>
          <span className="tiny">{purposeLabel}</span>
          <br />
          <q>{purpose}</q>
        </p>
      ) : null}
      <ul className={`${styles.facts} ${styles.place}`}>
        {payees.map((fact) => (
          <FactItem key={fact.topic} fact={fact} t={t} />
        ))}
      </ul>
      <LimitRows {...props} />
      <ul className={styles.facts}>
        {others.map((fact) => (
          <FactItem key={fact.topic} fact={fact} t={t} />
        ))}
      </ul>
    </section>
  );
};

const LimitRows = ({ index, mandate, reader, now, draft, problem }: Props) => {
  const { details } = mandate;
  const typedIn = (field: string | null) => (field === null ? null : (draft?.[field] ?? null));
  const errorOf = (field: string | null) => (field !== null && problem?.field === field ? problem.message : null);
  const end = describeMandateEnd(details, now, reader);
  const endField = `m${index}_valid_until`;
  const days = findEndDays(details, now, reader);
  return (
    <div className={styles.limits}>
      {listLimits(mandate, index, { now, reader }).map((limit) => (
        <CapRow
          key={limit.field ?? `${limit.scope}:${limit.unit}`}
          {...limit}
          currency={details.currency}
          locale={reader.locale}
          typed={typedIn(limit.field)}
          error={errorOf(limit.field)}
        />
      ))}
      <EndRow
        field={endField}
        note={end.note}
        text={end.text}
        current={describeCurrentEnd(mandate, now, reader)}
        min={days.first}
        max={days.last}
        reader={reader}
        rangeError={describeEndRange(days, reader)}
        typed={typedIn(endField)}
        error={errorOf(endField)}
      />
    </div>
  );
};

const FactItem = ({ fact: { icon, isWarning, text, current }, t }: { fact: Fact; t: Translator<"consent"> }) => (
  <li className={isWarning ? styles.warn : undefined}>
    <Icon name={icon} />
    <span>
      {text.map((part) => (typeof part === "string" ? part : <StrongPart key={part.strong} {...part} t={t} />))}
      {current === undefined ? null : (
        <span className={styles.before}>
          {current === null ? t("isNew") : t("nowFact", { text: plainText(current) })}
        </span>
      )}
    </span>
  </li>
);

/** A name with its logo, if it has one. */
const StrongPart = ({ strong, brand, t }: { strong: string; brand?: Brand | null; t: Translator<"consent"> }) =>
  brand ? (
    <span className={styles.brand}>
      <PartyLogo name={strong} size="small" brand={brand} alt={brand.logoUri ? t("logoOf", { name: strong }) : ""} />
      <b>{strong}</b>
    </span>
  ) : (
    <b>{strong}</b>
  );
