import { type AuditEntry, appendAuditAlone } from "../data/audit.ts";
import type { ClientRow } from "../data/clients.ts";
import { consumeAndRecord } from "../data/consume-and-record.ts";
import { consumeAssertion } from "../data/replay.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../kernel/errors.ts";
import { newSecret } from "../kernel/ids.ts";
import type { PendingClient } from "./authenticate-client.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { parseScope, type ResolvedScopes, resolveScopes, resourceUri, scopeRules } from "./rules/scopes.ts";
import { accessTokenSeconds } from "./rules/tokens.ts";
import { signAccessToken } from "./sign-access-token.ts";
import { optionalText, readProof, type TokenRequest } from "./token-request.ts";
import type { VerifiedProof } from "./verify-dpop-proof.ts";

type Request = Omit<TokenRequest, "client"> & { pending: PendingClient };
type Prepared = { scopes: ResolvedScopes; proof: VerifiedProof | null };

/**
 * RFC 6749 §4.4: a token for the client itself; without `scope`, all that it registered for the one resource.
 * One statement consumes the assertion and writes the audit entry.
 * @throws OAuthError invalid_scope, invalid_target, invalid_dpop_proof, use_dpop_nonce.
 */
export const grantClientCredentials = async (deps: Deps, request: Request): Promise<TokenResponse> => {
  const { pending } = request;
  let prepared: Prepared;
  try {
    prepared = await prepare(deps, request, pending.client);
  } catch (error) {
    // It may be what was remembered of the client that is wrong.
    const { client, isCurrent } = await pending.settle((assertion) => consumeAssertion(deps.db.sql, assertion));
    if (isCurrent) throw error;
    prepared = await prepare(deps, request, client);
    await prepared.proof?.consume();
    return grantAlone(deps, request, { client, prepared });
  }
  await prepared.proof?.consume();
  const jti = newSecret();
  const entry = entryOf(deps, request, { client: pending.client, jti });
  const response = respond(deps, { client: pending.client, prepared, jti });
  const { client, isCurrent } = await pending.settle((assertion) =>
    consumeAndRecord(deps.db.sql, { ...assertion, entry }),
  );
  if (isCurrent) return response;
  // The client has changed since it was remembered, and nothing was recorded: again, by what it is now.
  return grantAlone(deps, request, { client, prepared: { ...prepared, scopes: resolve(deps, request, client) } });
};

/** For a client whose assertion is consumed. */
const grantAlone = async (
  deps: Deps,
  request: Request,
  { client, prepared }: { client: ClientRow; prepared: Prepared },
): Promise<TokenResponse> => {
  const jti = newSecret();
  await appendAuditAlone(deps.db, entryOf(deps, request, { client, jti }));
  return respond(deps, { client, prepared, jti });
};

const prepare = async (deps: Deps, request: Request, client: ClientRow): Promise<Prepared> => ({
  scopes: resolve(deps, request, client),
  proof: await readProof(deps, { dpopProof: request.dpopProof, client }),
});

const resolve = (deps: Deps, { form }: Request, client: ClientRow): ResolvedScopes => {
  // RFC 9396 §5: only a payer can grant a mandate.
  if (form["authorization_details"] !== undefined) {
    throw new OAuthError("invalid_authorization_details", "authorization_details need a payer's consent");
  }
  const asked = parseScope(optionalText(form, "scope"));
  return resolveScopes({
    scopes:
      asked.length > 0
        ? asked
        : client.scopes.filter((scope) => scopeRules[scope]?.grantTypes.includes("client_credentials")),
    registered: client.scopes,
    kind: client.kind,
    grantType: "client_credentials",
    requestedResources: (form["resource"] as readonly string[] | undefined) ?? [],
    baseUrl: deps.config.baseUrl,
  });
};

const entryOf = (deps: Deps, { info }: Request, { client, jti }: { client: ClientRow; jti: string }): AuditEntry => ({
  at: deps.clock.now(),
  actor: { kind: "client", id: client.id },
  action: "token.issued",
  subjectId: client.id,
  requestId: info.requestId,
  data: { grant_type: "client_credentials", jti },
});

const respond = (
  deps: Deps,
  { client, prepared, jti }: { client: ClientRow; prepared: Prepared; jti: string },
): TokenResponse => {
  const { scopes, resource } = prepared.scopes;
  const jkt = prepared.proof?.jkt ?? null;
  const signed = signAccessToken(deps, {
    ...{ jti, scopes, jkt },
    subject: client.id,
    audience: resourceUri(resource, deps.config.baseUrl),
    clientId: client.id,
    lifetimeSeconds: accessTokenSeconds.clientCredentials,
    clientEpoch: client.epoch,
  });
  return {
    access_token: signed.token,
    token_type: jkt === null ? "Bearer" : "DPoP",
    expires_in: signed.expiresIn,
    scope: scopes.join(" "),
  };
};
