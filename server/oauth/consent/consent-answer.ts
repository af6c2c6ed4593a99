import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { findConsentRow } from "../../data/oauth/consents.ts";
import { findCode } from "../../data/oauth/grants.ts";
import type { PushedRequestRow } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { addSeconds, isExpired } from "../../kernel/time/clock.ts";
import { hashDated } from "../../kernel/time/dated.ts";
import { toAuthorizationRequest } from "../requests/authorization-request.ts";
import { codeSeconds } from "../rules/tokens/tokens.ts";

export type ConsentAnswer = {
  decision: "approve" | "decline";
  decidedAt: Date;
  mandateIds: readonly string[];
  /** `hashForm` of the form that was sent */
  formHash: string | null;
  /**
   * The redirect to the client, only for the session that decided. Null if its code was used or has expired. A redirect
   * without a code expires after the lifetime of a code.
   */
  location: string | null;
};

const sealContext = (handle: string): string => `consent_answer:${handle}`;

/** Identifies a form as it was sent: the same form sent twice has the same hash. */
export const hashForm = (form: object): string => sha256Base64url(JSON.stringify(form));

/** The location is sealed because it contains the code, which is otherwise stored as a hash. */
export const sealLocation = ({ sealer }: Pick<Deps, "sealer">, handle: string, location: string): string =>
  sealer.seal(location, sealContext(handle));

/** @returns the answer to a completed request; null unless the caller is the payer who decided. */
export const findAnswer = async (
  deps: Pick<Deps, "db" | "sealer" | "clock">,
  { row, session }: { row: PushedRequestRow | null; session: SessionContext | null },
): Promise<ConsentAnswer | null> => {
  if (!session || !row?.consentId || !row.completedAt) return null;
  const consent = await findConsentRow(deps.db, row.consentId);
  if (consent?.payerId !== session.account.id) return null;
  const isOwnSession = consent.sessionId === session.sessionId;
  return {
    decision: consent.decision === "approve" ? "approve" : "decline",
    decidedAt: row.completedAt,
    mandateIds: toAuthorizationRequest(row.request).mandateIds,
    formHash: row.answerHash,
    location: isOwnSession ? await findLiveLocation(deps, row) : null,
  };
};

const findLiveLocation = async (
  { db, sealer, clock }: Pick<Deps, "db" | "sealer" | "clock">,
  { handle, completedAt, answerSealed }: PushedRequestRow,
): Promise<string | null> => {
  const now = clock.now();
  if (!completedAt || !answerSealed || isExpired({ expiresAt: addSeconds(completedAt, codeSeconds) }, now)) return null;
  const location = sealer.open(answerSealed, sealContext(handle));
  const secret = new URL(location).searchParams.get("code");
  if (secret === null) return location;
  // A later consent to the same grant makes the code expire early.
  const code = await findCode(db.sql, hashDated(secret));
  return code && code.usedAt === null && !isExpired(code, now) ? location : null;
};
