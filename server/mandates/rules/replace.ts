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
 * Fields that can't change: with other units, periods or refunds, the counters of the mandate
 * would mean something else.
 */
export const lastingFields: readonly string[] = [...Object.keys(lasting), "valid_from"];

/** @returns the first fixed field that the new details would change, or null. */
export const changedLastingField = (current: Replaceable, requested: Replaceable): string | null => {
  const changed = Object.entries(lasting).find(([, read]) => read(current) !== read(requested));
  if (changed) return changed[0];
  const [before, wanted] = [instantOf(current.valid_from), instantOf(requested.valid_from)];
  return wanted !== null && wanted !== before ? "valid_from" : null;
};

/** The new details with the mandate's start. The default end is a year after the later of `at` and the start. */
export const replacementDetails = <D extends Replaceable>(current: Replaceable, requested: D, at: Date): D => {
  const from = current.valid_from === undefined ? null : parseInstant(current.valid_from);
  const base = from && from > at ? from : at;
  const until = requested.valid_until ?? oneYearAfter(base, requested.time_zone ?? "UTC").toISOString();
  return { ...requested, ...(from ? { valid_from: from.toISOString() } : {}), valid_until: until };
};

const instantOf = (text: string | undefined): number | null =>
  text === undefined ? null : (parseInstant(text)?.getTime() ?? null);
