"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { formatEndBeforeDay, formatTimeZone } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { adoptEarlyInput } from "../../ui/field/adopt-early-input.ts";
import { Field } from "../../ui/field/field.tsx";
import { EditableRow } from "./limit-row.tsx";
import { endSentence } from "./limit-sentence.ts";

type Props = {
  field: string;
  note: string;
  text: string;
  /** the end in force, null for a new mandate */
  current: string | null;
  /** dates, YYYY-MM-DD */
  min: string;
  max: string;
  /** the mandate ends when the entered day begins in this reader's time zone */
  reader: Reader;
  /** shown for a day outside min and max */
  rangeError: string;
  /** what the payer entered before the decision was refused */
  typed: string | null;
  /** why the entered day was refused */
  error: string | null;
};

/** The end of the mandate. The payer can choose an earlier day. */
export const EndRow = ({ field, note, text, current, min, max, reader, rangeError, typed, error }: Props) => {
  const t = useTranslations("consent-form");
  const [day, setDay] = useState(typed ?? "");
  const isOutside = day !== "" && (day < min || day > max);
  const earlier = day === "" || isOutside ? null : formatEndBeforeDay(day, reader);
  return (
    <EditableRow
      sentence={endSentence(earlier?.text ?? text, t)}
      tone={earlier ? "lowered" : null}
      note={earlier?.note ?? note}
      current={current === null ? null : endSentence(current, t)}
      isOpen={error !== null || typed !== null}
      verb={t("changeEnd")}
    >
      <Field
        label={t("newEnd")}
        name={field}
        type="date"
        value={day}
        ref={adoptEarlyInput(setDay)}
        onChange={(event) => setDay(event.currentTarget.value)}
        min={min}
        max={max}
        autoFocus={error !== null}
        hint={t("newEndHint", { zone: formatTimeZone(reader.timeZone, reader.locale) })}
        error={isOutside ? rangeError : day === typed ? error : null}
      />
    </EditableRow>
  );
};
