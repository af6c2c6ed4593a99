import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertInitialAccessToken } from "../../data/directory/initial-access-tokens.ts";
import { listMerchantNames } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, sentenceRefusal } from "../../kernel/errors.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refuseUnapproved } from "../../merchants/refuse-unapproved.ts";
import { type ClientKind, scopesOfKind } from "../rules/scopes.ts";

type Input = {
  kind: ClientKind;
  merchantId: string | null;
  /** directory participant that will own the agents; null: each agent gets its own participant */
  participantId?: string;
  /** the merchant whose member creates it, for the merchant's audit log */
  participantMerchantId?: string | null;
  /** Runs in the transaction that inserts the token. @throws if the token's creator may not create tokens. */
  takePermission?(tx: Tx): Promise<void>;
  /** the scopes that clients registered with the token may have; default: all scopes of the kind */
  scopes?: readonly string[];
  uses?: number;
  maxUses?: number;
  ttlSeconds?: number;
  /** the name that the creator gives to the token */
  label?: string;
  /** an operator's reason, for the audit log */
  reason?: string;
  actor: Actor;
  requestId: string;
};

const mostUses = 1000;
const maxSeconds = 90 * 24 * 3600;

/**
 * The token determines owner, kind and allowed scopes of the clients that register with it (RFC 7591 §3). It is
 * returned once and stored as a hash.
 * @throws DomainError not_found for an unknown merchant; merchant_pending; merchant_declined; invalid, naming the field
 *   that is out of range.
 */
export const createInitialAccessToken = async (
  deps: Deps,
  input: Input,
): Promise<{ id: string; token: string; expiresAt: Date }> => {
  const { kind, merchantId, uses = 1, ttlSeconds = 24 * 3600, label = null, reason, participantId = null } = input;
  const scopes = input.scopes ?? scopesOfKind(kind);
  checkFields({ kind, merchantId, uses, maxUses: input.maxUses ?? mostUses, ttlSeconds, scopes });
  if (merchantId !== null && !(await listMerchantNames(deps.db, [merchantId])).has(merchantId)) {
    throw new DomainError("not_found", { code: "not_found", message: "Merchant not found. Check the ID." });
  }
  const token = newSecret();
  const id = newId("iat");
  const now = deps.clock.now();
  const expiresAt = addSeconds(now, ttlSeconds);
  await deps.db.transaction(async (tx) => {
    await input.takePermission?.(tx);
    if (merchantId !== null) await refuseUnapproved(tx.sql, merchantId);
    await insertInitialAccessToken(tx, {
      id,
      secretHash: sha256Base64url(token),
      kind,
      merchantId,
      participantId,
      scopes: [...new Set(scopes)],
      usesLeft: uses,
      label,
      createdBy: input.actor.id,
      createdAt: now,
      expiresAt,
    });
    await appendAudit(tx.sql, {
      at: now,
      actor: input.actor,
      action: "initial_access_token.created",
      subjectId: id,
      requestId: input.requestId,
      data: {
        kind,
        merchant_id: merchantId ?? input.participantMerchantId ?? null,
        uses,
        ...(participantId === null ? {} : { participant_id: participantId }),
        ...(reason === undefined ? {} : { reason }),
      },
    });
  });
  return { id, token, expiresAt };
};

/** @throws DomainError invalid, naming the field that is out of range. */
const checkFields = ({
  kind,
  merchantId,
  uses,
  maxUses,
  ttlSeconds,
  scopes,
}: Required<Pick<Input, "kind" | "merchantId" | "uses" | "maxUses" | "ttlSeconds" | "scopes">>): void => {
  if ((kind === "merchant") !== (merchantId !== null)) {
    throw new DomainError("invalid", {
      code: "invalid_request",
      message: "A merchant token must name a merchant; an agent token must not.",
    });
  }
  if (!isWithin(uses, maxUses)) throw sentenceRefusal("/uses", `Enter a whole number of uses from 1 to ${maxUses}.`);
  if (!isWithin(ttlSeconds, maxSeconds)) throw sentenceRefusal("/expires", "Choose a time within the next 90 days.");
  if (scopes.length === 0) throw sentenceRefusal("/scopes", "Choose at least one scope.");
  const possible = scopesOfKind(kind);
  if (scopes.some((scope) => !possible.includes(scope))) {
    throw new DomainError("invalid", {
      code: "invalid_scope",
      message: "A scope is unknown or not available for this kind of client.",
      errors: [{ pointer: "/scopes", detail: "unknown or not available for this kind of client" }],
    });
  }
};

const isWithin = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max;
