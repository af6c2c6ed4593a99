import { findNotificationChoice } from "../../data/accounts/notification-choices.ts";
import type { Deps } from "../../deps/deps.ts";
import { type MailChoice, mailChoiceNotFound, readMailChoiceToken } from "../../platform/mail/mail-choice.ts";

/**
 * Finds the kind of e-mail that a link switches off or on, and the recipient's locale.
 * @throws DomainError mail_choice_not_found.
 */
export const getNotificationByLink = async (
  deps: Pick<Deps, "db" | "config">,
  { token }: { token: string },
): Promise<MailChoice & { isOn: boolean; locale: string }> => {
  const choice = readMailChoiceToken(deps, token);
  const found = await findNotificationChoice(deps.db.sql, choice);
  if (!found) throw mailChoiceNotFound();
  return { ...choice, ...found };
};
