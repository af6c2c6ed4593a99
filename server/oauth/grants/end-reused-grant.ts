import { appendAudit } from "../../data/audit/audit.ts";
import { endGrantTokens } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { TokenRequest } from "./token-request.ts";

/**
 * A code or refresh token was used twice, so one of the two callers may have stolen it. Every token of its grant ends
 * (RFC 6749 §4.1.2, RFC 9700 §4.14.2), except tokens of a later consent. The mandate doesn't end, because the payer's
 * permission is still valid.
 * @param reused.since when the code was first used, or when the refresh token was issued.
 */
export const endReusedGrant = (
  deps: Deps,
  { client, info }: Pick<TokenRequest, "client" | "info">,
  reused: { grantId: string; action: "code.reused" | "refresh_token.reused"; since: Date },
): Promise<void> =>
  deps.db.inTurn(reused.grantId, async (sql) => {
    const at = deps.clock.now();
    await endGrantTokens(sql, { grantId: reused.grantId, now: at, since: reused.since });
    await appendAudit(sql, {
      at,
      actor: { kind: "client", id: client.id },
      action: reused.action,
      subjectId: reused.grantId,
      requestId: info.requestId,
    });
  });
