import { findPasskeyByCredential, recordPasskeyUse } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Assertion } from "./passkey.wire.ts";
import { verifyAssertion } from "./passkeys.ts";

type Claim = {
  assertion: Assertion;
  challenge: string;
  /** whose it must be; null: nobody is signed in, and the passkey says who it is */
  accountId: string | null;
  requestId: string;
};

type ProvingDeps = Pick<Deps, "clock" | "config">;

/**
 * In the transaction that used the challenge up: whose passkey signed it. A refusal is audited, and says nothing of what
 * there is.
 * @returns the account's id; null where it is refused.
 */
export const provePasskey = async (deps: ProvingDeps, tx: Tx, claim: Claim): Promise<string | null> => {
  const passkey = await findPasskeyByCredential(tx, claim.assertion.id);
  const isProved = passkey !== null && isMeant(deps, claim, passkey) && (await isSigned(deps, tx, claim, passkey));
  if (isProved) return passkey.accountId;
  await appendAudit(tx.sql, {
    at: deps.clock.now(),
    actor: actorOf(claim),
    action: "session.refused",
    subjectId: claim.accountId ?? passkey?.accountId ?? "-",
    requestId: claim.requestId,
    data: { by: "passkey" },
  });
  return null;
};

const actorOf = ({ accountId }: Claim) =>
  accountId === null ? ({ kind: "anonymous", id: "-" } as const) : ({ kind: "payer", id: accountId } as const);

type Found = NonNullable<Awaited<ReturnType<typeof findPasskeyByCredential>>>;

/** Without a session the passkey must name its account itself; with one it may, and must not name another (WebAuthn §7.2, step 6). */
const isMeant = (
  { config }: ProvingDeps,
  { assertion, accountId }: Claim,
  { accountId: ownerId, account: { isDemo } }: Found,
): boolean => {
  const { userHandle } = assertion.response;
  const named = userHandle ? Buffer.from(userHandle, "base64url").toString() : accountId;
  return named === ownerId && (accountId ?? ownerId) === ownerId && (!isDemo || config.isLoopback);
};

/** A count that hasn't grown says that the passkey was copied (WebAuthn §6.1.1): it is refused, and told the audit log. */
const isSigned = async (deps: ProvingDeps, tx: Tx, claim: Claim, passkey: Found): Promise<boolean> => {
  const { challenge, assertion, requestId } = claim;
  const { id, counter: lastCounter } = passkey;
  const publicKey = new Uint8Array(passkey.publicKey);
  const use = await verifyAssertion(deps.config, assertion, { challenge, publicKey });
  if (!use) return false;
  const now = deps.clock.now();
  if (await recordPasskeyUse(tx, { id, ...use, lastUsedAt: now })) return true;
  await appendAudit(tx.sql, {
    at: now,
    actor: actorOf(claim),
    action: "passkey.counter_regressed",
    subjectId: id,
    requestId,
    data: { last: Number(lastCounter), told: use.counter },
  });
  return false;
};
