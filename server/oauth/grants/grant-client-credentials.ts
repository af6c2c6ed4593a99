import type { PendingClient } from "../../contract/callers.ts";
import { type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import { insertMeteredCall, type MeteredCall } from "../../data/billing/meters/metering.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import { consumeAndRecord } from "../../data/oauth/consume-and-record.ts";
import type { Deps } from "../../deps/deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import { checkRules } from "../../kernel/rule.ts";
import { defaultScopes, parseScope, type ResolvedScopes, resolveScopes, resourceUri } from "../rules/scopes.ts";
import { clientCredentialsRules, grantTypeOfClientRules } from "../rules/tokens/token-request.ts";
import { accessTokenSeconds } from "../rules/tokens/tokens.ts";
import { meteredCallOf } from "../tokens/metered-call.ts";
import { signAccessToken } from "../tokens/sign-access-token.ts";
import type { VerifiedProof } from "../tokens/verify-dpop-proof.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { settleWith } from "./settle-with.ts";
import { optionalText, type TokenRequest } from "./token-request.ts";

type Request = Omit<TokenRequest, "client"> & { pending: PendingClient };
type Prepared = {
  proof: VerifiedProof | null;
  entry: AuditEntry;
  metered: MeteredCall | null;
  response: TokenResponse;
};

/**
 * Issues a token for the client itself (RFC 6749 §4.4); without `scope`, with all registered scopes of one resource.
 * One statement consumes the assertion and writes the audit entry and the metered event.
 * @throws OAuthError unauthorized_client, invalid_scope, invalid_target, invalid_authorization_details,
 *   invalid_dpop_proof, use_dpop_nonce.
 */
export const grantClientCredentials = (deps: Deps, request: Request): Promise<TokenResponse> =>
  settleWith(deps, request.pending, {
    async prepare(client) {
      checkRules(grantTypeOfClientRules, { grantType: "client_credentials", registered: client.grantTypes });
      const scopes = resolve(deps, request, client);
      const proof = await request.readProof(client);
      const jti = newSecret();
      return {
        proof,
        entry: entryOf(deps, request, { client, jti }),
        metered: await meteredCallOf(deps, client),
        response: respond(deps, { client, scopes, jti, jkt: proof?.jkt ?? null }),
      };
    },
    async consumeAndWrite({ proof, entry, metered }: Prepared, assertion) {
      await proof?.consume();
      return consumeAndRecord(deps.db.sql, { ...assertion, entry, metered });
    },
    toAnswer: ({ response }) => response,
    async write({ proof, entry, metered, response }, client) {
      await proof?.consume();
      await deps.db.sqlTransaction(async (sql) => {
        await appendAudit(sql, entry);
        if (metered)
          await insertMeteredCall(sql, { ...metered, meter: "tokens_issued", clientId: client.id, subject: null });
      });
      return response;
    },
  });

const resolve = (deps: Deps, { form }: Request, client: ClientRow): ResolvedScopes => {
  checkRules(clientCredentialsRules, form);
  const scopes = parseScope(optionalText(form, "scope"));
  const request = {
    registered: client.scopes,
    kind: client.kind,
    grantType: "client_credentials",
    requestedResources: (form["resource"] as readonly string[] | undefined) ?? [],
    urls: deps.config,
  } as const;
  return resolveScopes({ ...request, scopes: scopes.length > 0 ? scopes : defaultScopes(request) });
};

const entryOf = (deps: Deps, { info }: Request, { client, jti }: { client: ClientRow; jti: string }): AuditEntry => ({
  at: deps.clock.now(),
  actor: { kind: "client", id: client.id },
  action: "token.issued",
  subjectId: client.id,
  requestId: info.requestId,
  data: { grant_type: "client_credentials", jti },
});

type Token = { client: ClientRow; scopes: ResolvedScopes; jti: string; jkt: string | null };

const respond = (deps: Deps, { client, scopes: { scopes, resource }, jti, jkt }: Token): TokenResponse => {
  const signed = signAccessToken(deps, {
    jti,
    scopes,
    jkt,
    subject: client.id,
    audience: resourceUri(resource, deps.config),
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
