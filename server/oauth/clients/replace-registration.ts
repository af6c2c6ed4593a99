import type { RegistrationCaller } from "../../contract/callers.ts";
import { lockRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { labelledMac, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { findClientCredentials } from "../../webhooks/endpoints/find-endpoint.ts";
import { replacedRegistrationRules } from "../rules/clients/registration-tokens.ts";
import { checkStillOf } from "./authenticate-registration.ts";
import { checkClientMetadata } from "./check-client-metadata.ts";
import { type RegistrationResponse, registrationResponse, serverMembersOf } from "./registration-response.ts";
import { replaceMetadata } from "./replace-metadata.ts";

type Input = { caller: RegistrationCaller; metadata: unknown; info: RequestInfo };

/**
 * RFC 7592 §2.2: the request replaces all metadata. Owner, kind and allowed scopes don't change: the initial access
 * token determined them. The registration access token is rotated. The presented token ends when its successor is first
 * used, so that a lost response doesn't lock out the client. Until then, each request with the presented token gets the
 * same successor.
 * @throws OAuthError with the codes of RFC 7591 §3.2.2, and invalid_token.
 */
export const replaceClientRegistration = async (deps: Deps, input: Input): Promise<RegistrationResponse> => {
  const { caller, info } = input;
  const { registration } = caller;
  const { id, kind, allowedScopes, dpopBound } = registration;
  const isSandbox = deps.config.environment === "sandbox";
  const checked = await checkClientMetadata(deps, {
    sent: input.metadata,
    bounds: { kind, allowedScopes, dpopBound, mayChooseBearer: isSandbox, allowsLocalhost: isSandbox },
    own: serverMembersOf(deps.config, {
      client: registration,
      token: caller.token,
      webhook: await findClientCredentials(deps, id),
    }),
    clientId: id,
    knownHashes: registration.keyThumbprintHashes,
    knownStatement: registration.metadata["software_statement"],
  });
  const token = nextToken(deps, caller);
  const webhook = await deps.db.sqlTransaction(async (sql) => {
    const locked = await lockRegistration(sql, id);
    checkStillOf(locked, caller);
    const before = assertPresent(locked);
    checkRules(replacedRegistrationRules, { isUnchanged: before.version === registration.version });
    return replaceMetadata(deps, sql, {
      before,
      checked,
      tokens: { registrationTokenHash: sha256Base64url(token), formerTokenHash: caller.tokenHash },
      actor: { kind: "client", id },
      requestId: info.requestId,
    });
  });
  return registrationResponse(deps.config, { client: registration, metadata: checked.metadata, token, webhook });
};

/** Each token has one successor, which can't be derived without our key. */
const nextToken = ({ config }: Pick<Deps, "config">, { registration, token }: RegistrationCaller): string =>
  labelledMac(config.masterKey, "registration_access_token", `${registration.id}.${token}`);
