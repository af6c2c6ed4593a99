import { appendAudit } from "../data/audit.ts";
import type { Sql, Tx } from "../data/client.ts";
import { insertClient } from "../data/clients.ts";
import {
  findInitialAccessToken,
  findInitialAccessTokenById,
  type InitialAccessToken,
  takeInitialAccessTokenUse,
} from "../data/initial-access-tokens.ts";
import { insertMerchant } from "../data/merchants.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { newId, newSecret } from "../kernel/ids.ts";
import { checkRules, shown } from "../kernel/rule.ts";
import { keepClientEndpoint } from "../webhooks/keep-client-endpoint.ts";
import { checkClientMetadata } from "./check-client-metadata.ts";
import { type RegistrationResponse, registrationResponse } from "./registration-response.ts";
import { bearerChallenge, parseAuthorization } from "./rules/authorization-header.ts";
import { initialTokenRules, initialTokenSchemeRules, initialTokenSentRules } from "./rules/registration-tokens.ts";

type Input = { metadata: unknown; authorization: string | null; info: RequestInfo };

/** ISO 18245 'miscellaneous and specialty retail', until an operator sets another. */
const selfRegisteredMcc = "5999";

/**
 * RFC 7591. Open in the sandbox, where a client with merchant scopes gets a test merchant of its own; elsewhere an initial
 * access token is required, and its use, the client and the audit entry are one transaction.
 * @throws OAuthError with the codes of RFC 7591 §3.2.2, and invalid_token.
 */
export const registerClient = async (deps: Deps, input: Input): Promise<RegistrationResponse> => {
  const isSandbox = deps.config.environment === "sandbox";
  const initial = await readInitialAccessToken(deps, input);
  const checked = await checkClientMetadata(deps, {
    sent: input.metadata,
    bounds: {
      kind: initial?.kind ?? null,
      widestScopes: initial?.scopes ?? null,
      mayChooseBearer: isSandbox,
      dpopBound: false,
    },
    own: {},
    clientId: null,
    knownHashes: [],
  });
  const { kind, metadata } = checked;
  const now = deps.clock.now();
  const id = newId(isSandbox ? "cl_test" : "cl_live");
  const columns = checked.columns(id);
  const token = newSecret();
  const { merchantId, webhook } = await deps.db.transaction(async (tx) => {
    if (initial && !(await takeInitialAccessTokenUse(tx.sql, initial.id, now))) {
      await refuseInitialToken(tx.sql, initial, now);
    }
    const owner = kind === "merchant" ? (initial?.merchantId ?? (await makeTestMerchant(tx, columns.name, now))) : null;
    await insertClient(tx, {
      ...columns,
      ...{ id, kind },
      merchantId: owner,
      registrationTokenHash: sha256Base64url(token),
      initialAccessTokenId: initial?.id ?? null,
      widestScopes: initial?.scopes ?? null,
      createdAt: now,
    });
    await checked.keepKeys(tx.sql, id);
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "anonymous", id: initial?.id ?? "-" },
      action: "client.registered",
      subjectId: id,
      requestId: input.info.requestId,
      data: { kind, merchant_id: owner },
    });
    const webhook = await keepClientEndpoint(deps, tx.sql, {
      clientId: id,
      webhookUri: metadata.webhook_uri,
      rotatesSecret: false,
      requestId: input.info.requestId,
    });
    return { merchantId: owner, webhook };
  });
  return registrationResponse(deps.config, { id, merchantId, createdAt: now }, metadata, token, webhook);
};

const checkInitialToken = (token: InitialAccessToken | null, now: Date): void =>
  checkRules(initialTokenRules, { token, now }, bearerChallenge);

/** It ended after it was read: by whom revoked it, else by who took its last use. @throws OAuthError invalid_token, always. */
const refuseInitialToken = async (sql: Sql, initial: InitialAccessToken, now: Date): Promise<void> => {
  const present = await findInitialAccessTokenById(sql, initial.id);
  checkInitialToken(present && { ...present, usesLeft: 0 }, now);
};

/** Required but in the sandbox; one that is sent there counts all the same. */
const readInitialAccessToken = async (
  { config, db, clock }: Deps,
  { authorization }: Input,
): Promise<InitialAccessToken | null> => {
  const isSandbox = config.environment === "sandbox";
  checkRules(initialTokenSentRules, { isSandbox, authorization }, () => bearerChallenge(null));
  if (authorization === null) return null;
  const presented = parseAuthorization(authorization);
  checkRules(initialTokenSchemeRules, { scheme: presented?.scheme ?? null }, bearerChallenge);
  const initial = await findInitialAccessToken(db.sql, sha256Base64url(shown(presented).token));
  checkInitialToken(initial, clock.now());
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
