import { calculateJwkThumbprint, exportJWK, importJWK } from "jose";
import { appendAudit } from "../data/audit.ts";
import type { Tx } from "../data/client.ts";
import { insertClient } from "../data/clients.ts";
import {
  findInitialAccessToken,
  type InitialAccessToken,
  takeInitialAccessTokenUse,
} from "../data/initial-access-tokens.ts";
import { insertMerchant } from "../data/merchants.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { epochSeconds } from "../kernel/clock.ts";
import { OAuthError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { newId, newSecret } from "../kernel/ids.ts";
import { checkForeignKeys } from "./foreign-keys.ts";
import { parseAuthorization } from "./rules/authorization-header.ts";
import { algorithmOfKey, type ClientMetadata, checkClientKeys, checkRegistration } from "./rules/registration.ts";

type Input = { metadata: unknown; authorization: string | null; info: RequestInfo };

/** RFC 7591 §3.2.1: everything registered, defaults included. */
export type RegistrationResponse = ClientMetadata & {
  client_id: string;
  client_id_issued_at: number;
  merchant_id?: string;
};

/** ISO 18245 'miscellaneous and specialty retail', until an operator sets another. */
const selfRegisteredMcc = "5999";

/**
 * RFC 7591. Open in the sandbox, where a client with merchant scopes gets a test merchant of its own; elsewhere an initial
 * access token is required, and its use, the client and the audit entry are one transaction.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri, invalid_token.
 */
export const registerClient = async (deps: Deps, input: Input): Promise<RegistrationResponse> => {
  const isSandbox = deps.config.environment === "sandbox";
  const initial = await readInitialAccessToken(deps, input);
  if (typeof input.metadata !== "object" || input.metadata === null || Array.isArray(input.metadata)) {
    throw new OAuthError("invalid_client_metadata", "the body is not a JSON object");
  }
  const { kind, metadata } = checkRegistration(input.metadata as Record<string, unknown>, {
    allowed: initial,
    mayChooseBearer: isSandbox,
  });
  const keys = checkClientKeys(metadata.jwks.keys);
  const keyThumbprintHashes = await thumbprintHashes(keys);
  await checkForeignKeys(deps, keyThumbprintHashes);
  const now = deps.clock.now();
  const id = newId(isSandbox ? "cl_test" : "cl_live");
  const name = metadata.client_name ?? id;
  const registered: ClientMetadata = { ...metadata, jwks: { keys } };
  const merchantId = await deps.db.transaction(async (tx) => {
    if (initial && !(await takeInitialAccessTokenUse(tx.sql, initial.id, now))) throw tokenRequired();
    const owner = kind === "merchant" ? (initial?.merchantId ?? (await makeTestMerchant(tx, name, now))) : null;
    await insertClient(tx, {
      ...{ id, kind, name, keyThumbprintHashes },
      merchantId: owner,
      metadata: registered,
      redirectUris: metadata.redirect_uris ?? [],
      grantTypes: metadata.grant_types,
      scopes: metadata.scope === "" ? [] : metadata.scope.split(" "),
      jwks: { keys },
      assertionAlg: metadata.token_endpoint_auth_signing_alg ?? null,
      dpopBound: metadata.dpop_bound_access_tokens,
      // RFC 7592 is not offered yet, so nobody is told this secret.
      registrationTokenHash: sha256Base64url(newSecret()),
      initialAccessTokenId: initial?.id ?? null,
      createdAt: now,
    });
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "anonymous", id: initial?.id ?? "-" },
      action: "client.registered",
      subjectId: id,
      requestId: input.info.requestId,
      data: { kind, merchant_id: owner },
    });
    return owner;
  });
  return {
    client_id: id,
    client_id_issued_at: epochSeconds(now),
    ...(merchantId === null ? {} : { merchant_id: merchantId }),
    ...registered,
  };
};

const tokenRequired = () =>
  new OAuthError("invalid_token", "an initial access token is required", {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });

/** Required but in the sandbox; one that is sent there counts all the same. */
const readInitialAccessToken = async (deps: Deps, input: Input): Promise<InitialAccessToken | null> => {
  if (input.authorization === null && deps.config.environment === "sandbox") return null;
  const presented = parseAuthorization(input.authorization);
  if (presented?.scheme !== "bearer") throw tokenRequired();
  const initial = await findInitialAccessToken(deps.db.sql, sha256Base64url(presented.token), deps.clock.now());
  if (!initial) throw tokenRequired();
  return initial;
};

const makeTestMerchant = async (tx: Tx, name: string, createdAt: Date): Promise<string> => {
  const id = newId("mch");
  await insertMerchant(tx, {
    ...{ id, createdAt },
    displayName: name,
    legalName: name,
    mcc: selfRegisteredMcc,
    processor: "simulator",
    processorAccount: `acct_${id}`,
  });
  return id;
};

/**
 * SHA-256 of each key's thumbprint (RFC 7638), from the imported and exported key, so that encodings don't matter.
 * @throws OAuthError invalid_client_metadata for bytes that are no key, such as a point off the curve.
 */
const thumbprintHashes = (keys: readonly Record<string, string>[]): Promise<string[]> =>
  Promise.all(
    keys.map(async (key) => {
      try {
        const imported = await importJWK({ ...key, ext: true }, algorithmOfKey(key));
        return sha256Base64url(await calculateJwkThumbprint(await exportJWK(imported)));
      } catch (cause) {
        throw new OAuthError("invalid_client_metadata", "jwks: holds a key that can't be used", { cause });
      }
    }),
  );
