import { findPasskeyByCredential, recordPasskeyUse } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Assertion } from "./passkey.wire.ts";
import { verifyAssertion } from "./passkeys.ts";

type Claim = {
  assertion: Assertion;
  challenge: string;
  /** the account of the session; null if the passkey must name its account */
  accountId: string | null;
  requestId: string;
};

type ProvingDeps = Pick<Deps, "clock" | "config">;

/**
 * Finds the account whose passkey signed the challenge, in the transaction that consumed it. A refusal is audited.
 * @returns the account's id; null for any refusal, so that callers can't learn which passkeys exist.
 */
export const provePasskey = async (deps: ProvingDeps, tx: Tx, claim: Claim): Promise<string | null> => {
  const passkey = await findPasskeyByCredential(tx, claim.assertion.id);
  const isProved =
    passkey !== null && isForAccount(deps, claim, passkey) && (await isSigned({ ...deps, tx }, claim, passkey));
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

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskeyByCredential>>>;

/**
 * Without a session the passkey must name its account. With a session it must not name another account (WebAuthn §7.2,
 * step 6).
 */
const isForAccount = (
  { config }: ProvingDeps,
  { assertion, accountId }: Claim,
  { accountId: ownerId, account: { isDemo } }: StoredPasskey,
): boolean => {
  const { userHandle } = assertion.response;
  const named = userHandle ? Buffer.from(userHandle, "base64url").toString() : accountId;
  return named === ownerId && (accountId ?? ownerId) === ownerId && (!isDemo || config.isLoopback);
};

/**
 * If the counter hasn't increased, the passkey may have been copied (WebAuthn §6.1.1). The signature is refused, and
 * the refusal is audited. An authenticator without a counter always sends 0, which is accepted.
 */
const isSigned = async (
  { tx, ...deps }: ProvingDeps & { tx: Tx },
  claim: Claim,
  passkey: StoredPasskey,
): Promise<boolean> => {
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
    data: { last: Number(lastCounter), received: use.counter },
  });
  return false;
};
