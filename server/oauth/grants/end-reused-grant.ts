import { appendAudit } from "../../data/audit/audit.ts";
import { endGrantTokens } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { TokenRequest } from "./token-request.ts";

/**
 * A code or refresh token came a second time: one of the two callers stole it, so every token of its grant ends
 * (RFC 6749 §4.1.2, RFC 9700 §4.14.2). The mandate stays: it is the payer's to end; and so does what followed from
 * consent that came later. @param reused.since when it was used first, or issued.
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
