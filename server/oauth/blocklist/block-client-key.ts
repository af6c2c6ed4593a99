import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { insertBlockedKey, lockBlocklist } from "../../data/oauth/blocklist/blocked-keys.ts";
import { endTokensOfKeyUsers, lockKeyUsers } from "../../data/oauth/blocklist/key-users.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { getKeyThumbprint } from "./get-key-thumbprint.ts";

type Input = { key: string; reason: string; actor: Actor & { id: string }; requestId: string };

/** Maximum number of clients named in the audit entry. */
const maxNamed = 100;

/**
 * Blocks a client key (docs/spec/oauth.md, Blocked keys). After the commit, every process refuses the key: statements
 * that consume assertions or proofs, or check tokens, read the blocklist or the client's version. All access tokens of
 * each client with this key end. A second call changes nothing.
 * @param input.key a thumbprint or a public JWK
 * @throws DomainError unprocessable if `key` is neither, or is a private key.
 */
export const blockClientKey = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { key, reason, actor, requestId }: Input,
): Promise<{ thumbprint: string; isNew: boolean; clients: number }> => {
  const thumbprint = await getKeyThumbprint({ key });
  const thumbprintHash = sha256Base64url(thumbprint);
  return db.sqlTransaction(async (sql) => {
    const blockedAt = clock.now();
    await lockKeyUsers(sql, thumbprintHash);
    await lockBlocklist(sql);
    const isNew = await insertBlockedKey(sql, { thumbprint, thumbprintHash, reason, blockedBy: actor.id, blockedAt });
    if (!isNew) return { thumbprint, isNew, clients: 0 };
    const clientIds = await endTokensOfKeyUsers(sql, thumbprintHash);
    await appendAudit(sql, {
      at: blockedAt,
      actor,
      requestId,
      action: "client_key.blocked",
      subjectId: thumbprint,
      data: { reason, clients: clientIds.length, client_ids: clientIds.toSorted().slice(0, maxNamed) },
    });
    return { thumbprint, isNew, clients: clientIds.length };
  });
};
