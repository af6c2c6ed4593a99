import { oneYearAfter } from "../../kernel/time/calendar.ts";
import { parseInstant } from "./validity.ts";

type Replaceable = {
  currency: string;
  time_zone?: string | undefined;
  refund_policy?: string | undefined;
  valid_from?: string | undefined;
  valid_until?: string | undefined;
};

/** Absent means the default, as in every mandate. */
const lasting: Readonly<Record<string, (details: Replaceable) => string>> = {
  currency: ({ currency }) => currency,
  time_zone: ({ time_zone }) => time_zone ?? "UTC",
  refund_policy: ({ refund_policy }) => refund_policy ?? "consume",
};

/**
 * What stays for a mandate's whole life: in other units, other periods or with other refunds, what was counted under it
 * so far would mean something else.
 */
export const lastingFields: readonly string[] = [...Object.keys(lasting), "valid_from"];

/** @returns the lasting field that the new details change nevertheless, or null. */
export const changedLastingField = (current: Replaceable, asked: Replaceable): string | null => {
  const changed = Object.entries(lasting).find(([, read]) => read(current) !== read(asked));
  if (changed) return changed[0];
  const [before, wanted] = [instantOf(current.valid_from), instantOf(asked.valid_from)];
  return wanted !== null && wanted !== before ? "valid_from" : null;
};

/** The new details from the mandate's own beginning; an end left open is one calendar year from `at`, or from a later beginning. */
export const replacementDetails = <D extends Replaceable>(current: Replaceable, asked: D, at: Date): D => {
  const from = current.valid_from === undefined ? null : parseInstant(current.valid_from);
  const base = from && from > at ? from : at;
  const until = asked.valid_until ?? oneYearAfter(base, asked.time_zone ?? "UTC").toISOString();
  return { ...asked, ...(from ? { valid_from: from.toISOString() } : {}), valid_until: until };
};

const instantOf = (text: string | undefined): number | null =>
  text === undefined ? null : (parseInstant(text)?.getTime() ?? null);
