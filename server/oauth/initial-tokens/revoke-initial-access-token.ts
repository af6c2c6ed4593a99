import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import {
  findInitialAccessTokenById,
  markInitialAccessTokenRevoked,
} from "../../data/directory/initial-access-tokens.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = {
  tokenId: string;
  /** the merchant that owns it; null: a token for agents */
  ownerId: string | null;
  /** a directory participant ends only its own tokens; absent for operators, who may end every agent token */
  participantId?: string;
  /** the merchant whose member revokes it, for the merchant's audit log */
  participantMerchantId?: string | null;
  /** an operator's reason, for the audit log */
  reason?: string;
  actor: Actor;
  requestId: string;
};

/**
 * Ends the token. Clients that registered with it are kept. Idempotent.
 * @throws DomainError not_found, also for another owner's token.
 */
export const revokeInitialAccessToken = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { tokenId, ownerId, participantId, participantMerchantId = null, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.sqlTransaction(async (sql) => {
    const token = await findInitialAccessTokenById(sql, tokenId);
    const isOwn =
      token?.merchantId === ownerId && (participantId === undefined || token.participantId === participantId);
    if (!isOwn) throw new DomainError("not_found", { code: "not_found", message: "Token not found. Check the ID." });
    const at = clock.now();
    const isNew = await markInitialAccessTokenRevoked(sql, tokenId, at);
    if (isNew) {
      await appendAudit(sql, {
        at,
        actor,
        requestId,
        action: "initial_access_token.revoked",
        subjectId: tokenId,
        data: {
          kind: token.kind,
          merchant_id: ownerId ?? participantMerchantId,
          ...(reason === undefined ? {} : { reason }),
        },
      });
    }
    return { isNew };
  });
