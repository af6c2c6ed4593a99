import { setAccountLocale } from "../../data/accounts/locale.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { type Language, localeInLanguage } from "../../kernel/messages/languages.ts";
import { findSession } from "../sessions/find-session.ts";

type Input = { language: Language; cookieHeader: string | null; info: RequestInfo };

/**
 * Changes the language of the signed-in account, if the browser has a session. If the account's locale is already in
 * this language, its region is kept.
 */
export const chooseLanguage = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { language, cookieHeader, info }: Input,
): Promise<void> => {
  const session = await findSession(deps, cookieHeader);
  if (!session) return;
  const { id, locale } = session.account;
  const chosen = localeInLanguage(locale, language);
  if (chosen === locale) return;
  await deps.db.transaction(async (tx) => {
    await setAccountLocale(tx, { accountId: id, locale: chosen });
    await appendAudit(tx.sql, {
      at: deps.clock.now(),
      actor: { kind: "payer", id },
      action: "account.language_chosen",
      subjectId: id,
      requestId: info.requestId,
      data: { locale: chosen },
    });
  });
};
