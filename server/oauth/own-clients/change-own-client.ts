import type { Actor } from "../../data/audit/audit.ts";
import { findRegistration, lockRegistration, type RegistrationRow } from "../../data/oauth/client-registrations.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, sentenceRefusal } from "../../kernel/errors.ts";
import { thumbprintsOf } from "../client-keys/key-thumbprints.ts";
import { type CheckedMetadata, checkClientMetadata } from "../clients/check-client-metadata.ts";
import { replaceMetadata } from "../clients/replace-metadata.ts";
import { checkClientKeys } from "../rules/clients/client-jwks.ts";
import type { Raw } from "../rules/clients/metadata-members.ts";
import {
  changedMetadata,
  type OwnClientChange,
  type RegisteredKey,
  refuseAttested,
} from "../rules/clients/own-client-change.ts";
import { metadataRefusal } from "./metadata-refusal.ts";
import { ownClientNotFound } from "./own-client-not-found.ts";

type WithoutThumbprint<C> = C extends { kind: "add_key" } ? Omit<C, "thumbprint"> : C;

type Input = {
  merchantId: string;
  clientId: string;
  change: WithoutThumbprint<OwnClientChange>;
  actor: Actor;
  requestId: string;
};

/**
 * A member changes a client of their merchant: its name, scopes, or keys. The registration access token stays the same.
 * A repeated change does nothing.
 * @throws DomainError invalid, naming the field; not_found; conflict if the registration changed at the same time.
 */
export const changeOwnClient = async (deps: Deps, input: Input): Promise<void> => {
  const { merchantId, clientId, actor, requestId } = input;
  const registration = await findRegistration(deps.db.sql, clientId);
  if (registration?.merchantId !== merchantId) throw ownClientNotFound();
  const change = await withThumbprint(input.change);
  const sent = changedMetadata(registration.metadata, await keysOf(registration), change);
  if (sent === null) return;
  refuseAttested(registration.metadata, sent);
  const checked = await check(deps, registration, sent);
  await deps.db.sqlTransaction(async (sql) => {
    const before = await lockRegistration(sql, clientId);
    if (before === null) throw ownClientNotFound();
    if (before.version !== registration.version) throw changedMeanwhileRefusal();
    const { registrationTokenHash, formerTokenHash } = before;
    await replaceMetadata(deps, sql, {
      before,
      checked,
      tokens: { registrationTokenHash, formerTokenHash },
      endsTokens: change.kind === "add_key" && change.endsOthers,
      actor,
      requestId,
    });
  });
};

const check = async (deps: Deps, registration: RegistrationRow, sent: Raw): Promise<CheckedMetadata> => {
  const { id, kind, allowedScopes, dpopBound, keyThumbprintHashes, metadata } = registration;
  const isSandbox = deps.config.environment === "sandbox";
  try {
    return await checkClientMetadata(deps, {
      sent,
      bounds: { kind, allowedScopes, dpopBound, mayChooseBearer: isSandbox, allowsLocalhost: isSandbox },
      own: {},
      clientId: id,
      knownHashes: keyThumbprintHashes,
      knownStatement: metadata["software_statement"],
    });
  } catch (error) {
    throw metadataRefusal(error);
  }
};

const keysOf = async ({ metadata }: RegistrationRow): Promise<RegisteredKey[]> => {
  const { keys = [] } = (metadata["jwks"] ?? {}) as { keys?: Record<string, unknown>[] };
  const thumbprints = await thumbprintsOf(keys);
  return keys.map((key, index) => ({ key, thumbprint: thumbprints[index] ?? "" }));
};

/** The key is checked first: its thumbprint needs the algorithm that the check adds. */
const withThumbprint = async (change: Input["change"]): Promise<OwnClientChange> => {
  if (change.kind !== "add_key") return change;
  const [jwk] = checkedKeys(change.jwk);
  const [thumbprint] = await thumbprintsOf(jwk ? [jwk] : []);
  if (!jwk || thumbprint === undefined) throw sentenceRefusal("/jwk", "This key isn’t a supported public key.");
  return { ...change, jwk, thumbprint };
};

const checkedKeys = (jwk: Raw): Record<string, string>[] => {
  try {
    return checkClientKeys({ keys: [jwk] }, "jwks");
  } catch (error) {
    throw metadataRefusal(error);
  }
};

const changedMeanwhileRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "changed_meanwhile",
    message: "The app was changed at the same time. Reload the page, check the app, and try again.",
  });
