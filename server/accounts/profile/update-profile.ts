import { saveProfile } from "../../data/accounts/credentials.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isCurrency } from "../../kernel/money/money.ts";
import { isDisplayName, tidyName } from "../../kernel/text/display-name.ts";
import { readTimeZone } from "../../kernel/text/preferences.ts";

export type ProfileInput = {
  displayName: string;
  /** BCP 47 */
  locale: string;
  /** IANA name */
  timeZone: string;
  /** null: totals use the currency of the mandates */
  currency: string | null;
};

/**
 * Saves the name, the language, the time zone and the currency of totals. The change takes effect immediately in pages
 * and mails.
 * @throws DomainError name_invalid, time_zone_unknown, currency_unknown.
 */
export const updateProfile = async (
  deps: Pick<Deps, "db" | "clock">,
  { accountId, profile, requestId }: { accountId: string; profile: ProfileInput; requestId: string },
): Promise<void> => {
  const displayName = tidyName(profile.displayName);
  if (!isDisplayName(displayName)) {
    throw refusal("/displayName", "name_invalid", "Enter your name, with at most 80 characters.");
  }
  const timeZone = readTimeZone(profile.timeZone);
  if (timeZone === null) {
    throw refusal("/timeZone", "time_zone_unknown", "Choose a time zone from the list, like Europe/Berlin.");
  }
  const { locale, currency } = profile;
  if (currency !== null && !isCurrency(currency)) {
    throw refusal("/currency", "currency_unknown", "Choose a currency from the list, like EUR.");
  }
  await deps.db.transaction(async (tx) => {
    await saveProfile(tx, accountId, { displayName, locale, timeZone, currency });
    const actor = { kind: "payer", id: accountId } as const;
    const data = { locale, time_zone: timeZone, currency };
    const entry = { action: "account.profile_changed", subjectId: accountId, requestId, data };
    await appendAudit(tx.sql, { at: deps.clock.now(), actor, ...entry });
  });
};

const refusal = (pointer: string, code: string, message: string) =>
  new DomainError("unprocessable", { code, message, errors: [{ pointer, detail: message }] });
