import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { mailMandateChange } from "../../mandates/notices/mail-mandate-change.ts";
import { endGrantsOfPayer } from "./end-grants-of-payer.ts";

/**
 * A payer ends all of a client's grants, mandates, refresh tokens and access tokens for this payer, in one transaction.
 * @returns the number of grants that ended. @throws DomainError client_not_connected, also for an unknown client.
 */
export const disconnectClient = (
  deps: Deps,
  { payerId, clientId, requestId }: { payerId: string; clientId: string; requestId: string },
): Promise<number> =>
  deps.db.sqlTransaction(async (sql) => {
    const reason = "disconnected";
    const { ended, mandateIds } = await endGrantsOfPayer(deps, sql, { payerId, clientId, requestId, reason });
    if (ended === 0) throw notConnected();
    const [by, at] = [{ kind: "payer", id: payerId } as const, await deps.businessClock.now()];
    await mailMandateChange(deps, sql, { mandateIds, change: "revoked", by, at, requestId });
    return ended;
  });

const notConnected = (): DomainError =>
  new DomainError("not_found", {
    code: "client_not_connected",
    message: "This app isn’t connected. It may have been disconnected already.",
  });
