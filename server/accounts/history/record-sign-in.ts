import { insertSignInEvent, type SignInEventRow } from "../../data/accounts/sign-in-events.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";

export type RecordedOutcome = SignInEventRow["outcome"];

/**
 * Adds an attempt to the sign-in history. `accountId` null: the account is unknown. A known and an unknown account take
 * the same time.
 */
export const recordSignIn = (
  { clock }: Pick<Deps, "clock">,
  sql: Sql,
  { accountId, outcome, info }: { accountId: string | null; outcome: RecordedOutcome; info: RequestInfo },
): Promise<void> => {
  const { userAgent, ipAddress } = info;
  return insertSignInEvent(sql, { id: newId("sev"), accountId, at: clock.now(), outcome, userAgent, ipAddress });
};
