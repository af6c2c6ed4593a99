import { findNotificationsOff } from "../../data/accounts/notification-choices.ts";
import type { Deps } from "../../deps/deps.ts";
import { type OptionalMailKind, optionalMailKinds } from "../../kernel/mail-kinds.ts";

export type NotificationView = { kind: OptionalMailKind; isOn: boolean };

/** The optional kinds of e-mail. They are on unless the account switched them off. */
export const listNotifications = async (
  { db }: Pick<Deps, "db">,
  { accountId }: { accountId: string },
): Promise<NotificationView[]> => {
  const off = await findNotificationsOff(db.sql, accountId);
  return optionalMailKinds.map((kind) => ({ kind, isOn: !off.includes(kind) }));
};
