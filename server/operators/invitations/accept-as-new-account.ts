import { invalidPasskeyRefusal, knownPasskeyRefusal } from "../../accounts/passkeys/add-passkey.ts";
import { beginAddingPasskey } from "../../accounts/passkeys/begin-adding-passkey.ts";
import type { Attestation } from "../../accounts/passkeys/passkey.wire.ts";
import { runCeremony } from "../../accounts/passkeys/passkey-ceremony.ts";
import { maxPasskeys, verifyAttestation } from "../../accounts/passkeys/passkeys.ts";
import { checkNewPassword } from "../../accounts/passwords/check-new-password.ts";
import { passkeyAcr, passwordAcr } from "../../accounts/sessions/sessions.ts";
import { type SignIn, startSession } from "../../accounts/sessions/start-session.ts";
import { hashPassword } from "../../accounts/sign-in/passwords.ts";
import { findAccountByEmail, findAccountById } from "../../data/accounts/accounts.ts";
import { insertPasskey } from "../../data/accounts/passkeys.ts";
import { insertAccount } from "../../data/accounts/pending-sign-ups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import {
  consumeInvitation,
  findInvitationBySecret,
  type InvitationRow,
} from "../../data/operators/operator-invitations.ts";
import { grantOperatorRole } from "../../data/operators/operators.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { accountExistsRefusal, invitationGoneRefusal } from "./invitation-refusals.ts";

type AcceptDeps = Pick<Deps, "db" | "clock" | "config" | "places">;

/** What a person without an account sends. The new account gets the invited address, which the link verifies. */
export type NewOperator = {
  token: string;
  name: string;
  locale: string;
  timeZone: string;
  cookieHeader: string | null;
  info: RequestInfo;
};

/**
 * The options to create the first passkey of the account that the invitation will create.
 * @throws DomainError invitation_gone, address_taken.
 */
export const beginInvitationPasskey = async (deps: AcceptDeps, { token, name }: { token: string; name: string }) => {
  const { id, email, new_account_id } = await getOpenInvitation(deps, token);
  if (await findAccountByEmail(deps.db, email)) throw accountExistsRefusal();
  return beginAddingPasskey(deps, { account: { id: new_account_id, email, displayName: name }, sessionId: id });
};

/**
 * Creates the account with a passkey, makes it an operator and opens a session, in one transaction.
 * @throws DomainError invitation_gone, address_taken, passkey_not_made, passkey_known, passkey_challenge_gone.
 */
export const acceptByPasskey = async (
  deps: AcceptDeps,
  { attestation, passkeyName, ...person }: NewOperator & { attestation: Attestation; passkeyName: string },
): Promise<SignIn> => {
  const invitation = await getOpenInvitation(deps, person.token);
  const { clientDataJSON: clientDataJson, transports } = attestation.response;
  const scope = { purpose: "add", sessionId: invitation.id, clientDataJson } as const;
  return runCeremony(deps, scope, async (tx, challenge) => {
    const credential = await verifyAttestation(deps.config, attestation, challenge);
    if (!credential) return invalidPasskeyRefusal();
    const accountId = await createOperator(deps, tx, { ...person, passwordHash: null });
    const createdAt = deps.clock.now();
    const passkey = { ...credential, id: newId("psk"), accountId, transports, name: passkeyName, createdAt };
    const outcome = await insertPasskey(tx, { ...passkey, counter: BigInt(credential.counter) }, maxPasskeys);
    // This is thrown, not returned, so that the account isn't created.
    if (outcome !== "added") throw knownPasskeyRefusal();
    return startSession(deps, tx, { ...person, accountId, acr: passkeyAcr });
  });
};

/**
 * Accepts the invitation with a new account that has a password. @throws DomainError invitation_gone, address_taken, or
 * the code of a PasswordProblem.
 */
export const acceptByPassword = async (
  deps: AcceptDeps,
  { password, ...person }: NewOperator & { password: string },
): Promise<SignIn> => {
  const { email } = await getOpenInvitation(deps, person.token);
  const problem = await checkNewPassword(password, email);
  if (problem) throw new DomainError("invalid", { code: problem, message: "This password can’t be used." });
  const passwordHash = await hashPassword(password);
  return deps.db.transaction(async (tx) => {
    const accountId = await createOperator(deps, tx, { ...person, passwordHash });
    return startSession(deps, tx, { ...person, accountId, acr: passwordAcr });
  });
};

/** A link that resets the second factor of an account creates no account. @throws DomainError invitation_gone */
const getOpenInvitation = async ({ db, clock }: AcceptDeps, token: string): Promise<InvitationRow> => {
  const invitation = await findInvitationBySecret(db.sql, sha256Base64url(token), clock.now());
  if (!invitation || (await findAccountById(db.prisma, invitation.new_account_id))) throw invitationGoneRefusal();
  return invitation;
};

/** Uses the link and creates the account. A refusal is thrown, so that the link stays valid. */
const createOperator = async (
  { clock }: AcceptDeps,
  tx: Tx,
  { token, name, locale, timeZone, passwordHash, info }: NewOperator & { passwordHash: string | null },
): Promise<string> => {
  const now = clock.now();
  const invitation = await consumeInvitation(tx.sql, sha256Base64url(token), now);
  if (!invitation) throw invitationGoneRefusal();
  const { new_account_id: id, email, role } = invitation;
  const person = { id, email, displayName: name, passwordHash, locale, timeZone };
  // The link is for an existing operator: it resets the second factor and creates no account.
  if (await findAccountById(tx, id)) throw invitationGoneRefusal();
  if (!(await insertAccount(tx, { ...person, emailVerifiedAt: now, createdAt: now }))) throw accountExistsRefusal();
  await grantOperatorRole(tx.sql, { accountId: id, role });
  const by = { at: now, actor: { kind: "operator", id } as const, subjectId: id, requestId: info.requestId };
  await appendAudit(tx.sql, { ...by, action: "account.created" });
  await appendAudit(tx.sql, { ...by, action: "operator.added", data: { role, invitation: invitation.id } });
  return id;
};
