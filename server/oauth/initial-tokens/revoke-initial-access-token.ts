import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import {
  findInitialAccessTokenById,
  markInitialAccessTokenRevoked,
} from "../../data/directory/initial-access-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = {
  tokenId: string;
  /** the merchant whose it is; null: agents register with it */
  ownerId: string | null;
  /** a participant of the directory, who may end its own alone; left out by operators, who may end all of agents */
  participantId?: string;
  /** an operator's, for the audit log */
  reason?: string;
  actor: Actor;
  requestId: string;
};

/**
 * Nobody registers with it from now on; clients that did stay. Revoked a second time, nothing changes.
 * @throws DomainError not_found for another owner's too.
 */
export const revokeInitialAccessToken = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { tokenId, ownerId, participantId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.sqlTransaction(async (sql) => {
    const token = await findInitialAccessTokenById(sql, tokenId);
    const isOwn =
      token?.merchantId === ownerId && (participantId === undefined || token.participantId === participantId);
    if (!isOwn) throw new DomainError("not_found", "not_found", "Token not found. Check the id.");
    const at = clock.now();
    const isNew = await markInitialAccessTokenRevoked(sql, tokenId, at);
    if (isNew) {
      await appendAudit(sql, {
        at,
        actor,
        requestId,
        action: "initial_access_token.revoked",
        subjectId: tokenId,
        data: { kind: token.kind, merchant_id: ownerId, ...(reason === undefined ? {} : { reason }) },
      });
    }
    return { isNew };
  });
