import { appendAuditAlone } from "../data/audit.ts";
import { insertPushedRequest } from "../data/pushed-requests.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { OAuthError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { newId, newSecret } from "../kernel/ids.ts";
import { validateAuthorizationDetails } from "../mandates/validate-authorization-details.ts";
import type { AuthenticatedClient } from "./authenticate-client.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { findReplaceableGrant } from "./find-replaceable-grant.ts";
import { checkPushedRequest } from "./rules/authorization-request.ts";
import { parseScope, resolveScopes } from "./rules/scopes.ts";
import { requestUriPrefix, requestUriSeconds } from "./rules/tokens.ts";
import { verifyDpopProof } from "./verify-dpop-proof.ts";

type Input = {
  info: RequestInfo;
  client: AuthenticatedClient;
  form: Readonly<Record<string, string | readonly string[]>>;
  dpopProof: string | null;
};

/**
 * RFC 9126 §2: everything is validated here, so that the payer never meets a request that can't succeed.
 * @returns request_uri, once valid for `expiresIn` seconds.
 * @throws OAuthError with the codes of RFC 9126 §2.3, RFC 9396 §5, RFC 9449 §10.
 */
export const pushRequest = async (deps: Deps, input: Input): Promise<{ requestUri: string; expiresIn: number }> => {
  const { client, form, info } = input;
  if (client.kind !== "agent" || !client.grantTypes.includes("authorization_code")) {
    throw new OAuthError("unauthorized_client", "the client can't ask payers for mandates");
  }
  const pushed = checkPushedRequest(form, client);
  const { scopes } = resolveScopes({
    scopes: parseScope(pushed.scope),
    registered: client.scopes,
    kind: client.kind,
    grantType: "authorization_code",
    requestedResources: pushed.resources,
    baseUrl: deps.config.baseUrl,
  });
  const dpopJkt = await bindCode(deps, input, pushed.dpopJkt);
  const { replacesGrantId } = pushed;
  const replaceable =
    replacesGrantId === null ? null : await getReplaceable(deps, { grantId: replacesGrantId, client });
  const details = await validateAuthorizationDetails(deps, { raw: pushed.authorizationDetails, replaceable });
  const secret = newSecret();
  const now = deps.clock.now();
  const { redirectUri, codeChallenge, state, maxAgeSeconds, acrValues } = pushed;
  const mandateIds = details.map(({ identifier }) => identifier ?? newId("mdt"));
  const request: AuthorizationRequest = {
    ...{ redirectUri, codeChallenge, state, dpopJkt, maxAgeSeconds, acrValues, replacesGrantId },
    scopes: [...scopes],
    details,
    mandateIds,
  };
  await insertPushedRequest(deps.db.sql, {
    requestUriHash: sha256Base64url(secret),
    handle: newSecret(),
    clientId: client.id,
    request,
    createdAt: now,
    expiresAt: addSeconds(now, requestUriSeconds),
  });
  await appendAuditAlone(deps.db, {
    at: now,
    actor: { kind: "client", id: client.id },
    action: "authorization_request.pushed",
    subjectId: mandateIds[0] ?? "-",
    requestId: info.requestId,
    data: { mandate_ids: mandateIds, ...(replacesGrantId === null ? {} : { grant_id: replacesGrantId }) },
  });
  return { requestUri: requestUriPrefix + secret, expiresIn: requestUriSeconds };
};

/** @throws OAuthError invalid_grant_id: unknown, another client's and ended are one answer (Grant Management §5.4). */
const getReplaceable = async (deps: Deps, input: { grantId: string; client: AuthenticatedClient }) => {
  const grant = await findReplaceableGrant(deps, { grantId: input.grantId, clientId: input.client.id });
  if (!grant) throw new OAuthError("invalid_grant_id", "there is no such grant of this client");
  return grant.mandates.map(({ details }) => details);
};

/** RFC 9449 §10.1: a proof and `dpop_jkt` each bind the code, and must agree. */
const bindCode = async (deps: Deps, { dpopProof }: Input, dpopJkt: string | null): Promise<string | null> => {
  if (dpopProof === null) return dpopJkt;
  const proof = await verifyDpopProof(deps, {
    proof: dpopProof,
    method: "POST",
    path: "/oauth/par",
    accessToken: null,
  });
  if (dpopJkt !== null && dpopJkt !== proof.jkt) {
    throw new OAuthError("invalid_dpop_proof", "dpop_jkt is not the thumbprint of the proof's key");
  }
  await proof.consume();
  return proof.jkt;
};
