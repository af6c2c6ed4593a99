import { revokeSessionBySecret } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { clearedSessionCookie, readSessionCookie } from "../rules/session-cookie.ts";

/** Ends the browser's session, if it has one. @returns the header that clears the cookie. */
export const signOut = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { cookieHeader: string | null; info: RequestInfo },
): Promise<{ setCookie: string }> => {
  const secret = readSessionCookie(deps.config.environment, input.cookieHeader);
  if (secret !== null) {
    await deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const ended = await revokeSessionBySecret(tx, sha256Base64url(secret), now);
      if (!ended) return;
      await appendAudit(tx.sql, {
        at: now,
        actor: { kind: "payer", id: ended.accountId },
        action: "session.ended",
        subjectId: ended.id,
        requestId: input.info.requestId,
      });
    });
  }
  return { setCookie: clearedSessionCookie(deps.config.environment) };
};
