import type { Sql, Tx } from "../../data/client.ts";
import {
  findInitialAccessToken,
  findInitialAccessTokenById,
  type InitialAccessToken,
  takeInitialAccessTokenUse,
} from "../../data/directory/initial-access-tokens.ts";
import { insertMerchant } from "../../data/merchants/merchants.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId } from "../../kernel/ids.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import {
  initialTokenRules,
  initialTokenSchemeRules,
  initialTokenSentRules,
} from "../rules/clients/registration-tokens.ts";
import { bearerChallenge, parseAuthorization } from "../rules/tokens/authorization-header.ts";
import { enrolClient } from "./enrol-client.ts";
import type { RegistrationResponse } from "./registration-response.ts";

type Input = { metadata: unknown; authorization: string | null; info: RequestInfo };

/** The category 'miscellaneous and specialty retail' (ISO 18245), until an operator sets another category. */
const selfRegisteredMcc = "5999";

/**
 * Registers a client (RFC 7591). In the sandbox, anyone can register a client, and a client with merchant scopes gets a
 * new test merchant. Production requires an initial access token. One transaction counts the token's use, and inserts
 * the client and its audit entry.
 * @throws OAuthError with the codes of RFC 7591 §3.2.2, and invalid_token.
 */
export const registerClient = async (deps: Deps, input: Input): Promise<RegistrationResponse> => {
  const initial = await readInitialAccessToken(deps, input);
  return enrolClient(deps, {
    metadata: input.metadata,
    kind: initial?.kind ?? null,
    initial,
    async takePermission(tx, { kind, name, now }) {
      if (initial && !(await takeInitialAccessTokenUse(tx.sql, initial.id, now))) {
        await refuseInitialToken(tx.sql, initial, now);
      }
      return kind === "merchant" ? (initial?.merchantId ?? (await makeTestMerchant(tx, name, now))) : null;
    },
    actor: { kind: "anonymous", id: initial?.id ?? "-" },
    requestId: input.info.requestId,
  });
};

const checkInitialToken = (token: InitialAccessToken | null, now: Date): void =>
  checkRules(initialTokenRules, { token, now }, bearerChallenge);

/** Always throws invalid_token: the token was revoked or used up after it was read. */
const refuseInitialToken = async (sql: Sql, initial: InitialAccessToken, now: Date): Promise<void> => {
  const present = await findInitialAccessTokenById(sql, initial.id);
  checkInitialToken(present && { ...present, usesLeft: 0 }, now);
};

/** Required in production. In the sandbox, a token is used if one is sent. */
const readInitialAccessToken = async (
  { config, db, clock }: Deps,
  { authorization }: Input,
): Promise<InitialAccessToken | null> => {
  const isSandbox = config.environment === "sandbox";
  checkRules(initialTokenSentRules, { isSandbox, authorization }, () => bearerChallenge(null));
  if (authorization === null) return null;
  const presented = parseAuthorization(authorization);
  checkRules(initialTokenSchemeRules, { scheme: presented?.scheme ?? null }, bearerChallenge);
  const initial = await findInitialAccessToken(db.sql, sha256Base64url(assertPresent(presented).token));
  checkInitialToken(initial, clock.now());
  return initial;
};

const makeTestMerchant = async (tx: Tx, name: string, createdAt: Date): Promise<string> => {
  const id = newId("mch");
  await insertMerchant(tx, {
    id,
    createdAt,
    displayName: name,
    legalName: name,
    mcc: selfRegisteredMcc,
    processor: "simulator",
    processorAccount: `acct_${id}`,
  });
  return id;
};
