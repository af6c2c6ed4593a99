import type { Deps } from "../../deps/deps.ts";
import type { MailChoice } from "../../platform/mail/mail-choice.ts";
import { chooseNotification } from "./choose-notification.ts";
import { getNotificationByLink } from "./get-notification-by-link.ts";

type Input = { token: string; isOn: boolean; requestId: string };

/**
 * Switches one kind of e-mail off or on, with the token from a link in an e-mail of this kind. Idempotent.
 * @throws DomainError mail_choice_not_found.
 */
export const chooseNotificationByLink = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { token, isOn, requestId }: Input,
): Promise<MailChoice & { locale: string }> => {
  const { accountId, kind, locale } = await getNotificationByLink(deps, { token });
  await chooseNotification(deps, { accountId, kind, isOn, requestId });
  return { accountId, kind, locale };
};
