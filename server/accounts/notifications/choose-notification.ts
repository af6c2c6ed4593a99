import { setNotification } from "../../data/accounts/notification-choices.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import type { OptionalMailKind } from "../../kernel/mail-kinds.ts";

/** Switches one optional kind of e-mail on or off. Idempotent: a repeated choice writes nothing. */
export const chooseNotification = (
  deps: Pick<Deps, "db" | "clock">,
  input: { accountId: string; kind: OptionalMailKind; isOn: boolean; requestId: string },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { accountId, kind, isOn, requestId } = input;
    if (!(await setNotification(sql, { accountId, kind, isOn }))) return;
    const actor = { kind: "payer", id: accountId } as const;
    const entry = { action: "notification.chosen", subjectId: accountId, requestId, data: { kind, is_on: isOn } };
    await appendAudit(sql, { at: deps.clock.now(), actor, ...entry });
  });
