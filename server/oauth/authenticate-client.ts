import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JSONWebKeySet } from "jose";
import { appendAudit } from "../data/audit.ts";
import { type ClientRow, findClient } from "../data/clients.ts";
import { consumeAssertion } from "../data/replay.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { isOAuthError, OAuthError } from "../kernel/errors.ts";
import { checkAssertionClaims, checkAssertionHeader } from "./rules/client-assertion.ts";

export type AuthenticatedClient = ClientRow;

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

type Input = {
  info: RequestInfo;
  form: Readonly<Record<string, string | readonly string[]>>;
  authorization: string | null;
  /** of the endpoint, for audiences other than the issuer */
  path: string;
};

/**
 * private_key_jwt (RFC 7523 §2.2, FAPI 2.0 §5.3.2.1). The assertion is single use until `exp`, across processes.
 * @throws OAuthError invalid_client (401); invalid_request where two ways of authenticating are mixed.
 */
export const authenticateClient = async (deps: Deps, input: Input): Promise<AuthenticatedClient> => {
  try {
    return await authenticate(deps, input);
  } catch (error) {
    if (isOAuthError(error) && error.code === "invalid_client") {
      await appendAudit(deps.db.sql, {
        at: deps.clock.now(),
        actor: { kind: "anonymous", id: "-" },
        action: "client.authentication_refused",
        subjectId: "-",
        requestId: input.info.requestId,
        data: { reason: error.description },
      });
    }
    throw error;
  }
};

const authenticate = async (deps: Deps, { form, authorization, path }: Input): Promise<AuthenticatedClient> => {
  if (authorization !== null) {
    const scheme = /^[A-Za-z]{1,20}/.exec(authorization)?.[0] ?? "Bearer";
    throw new OAuthError("invalid_client", "clients authenticate by private_key_jwt in the body", {
      headers: { "www-authenticate": `${scheme} realm="${deps.config.baseUrl}"` },
    });
  }
  if (form["client_secret"] !== undefined) throw new OAuthError("invalid_client", "there are no client secrets here");
  const assertion = form["client_assertion"];
  if (form["client_assertion_type"] !== assertionType || typeof assertion !== "string") {
    throw new OAuthError("invalid_client", "a client_assertion of type jwt-bearer is required");
  }
  const { header, claims } = decode(assertion);
  const clientId = typeof claims.sub === "string" ? claims.sub : "";
  if (form["client_id"] !== undefined && form["client_id"] !== clientId) {
    throw new OAuthError("invalid_client", "client_id is not the assertion's subject");
  }
  const client = clientId === "" ? null : await findClient(deps.db.sql, clientId);
  if (!client) throw new OAuthError("invalid_client", "the client is unknown");
  if (client.hasForeignKey) throw new OAuthError("invalid_client", "the client's key belongs to production");
  checkAssertionHeader(header, client.assertionAlg);
  const now = deps.clock.now();
  const checked = checkAssertionClaims(claims, { clientId, audiences: audiencesFor(deps, client, path), now });
  await verifySignature(assertion, client);
  if (!(await consumeAssertion(deps.db.sql, { clientId, ...checked }))) {
    throw new OAuthError("invalid_client", "the assertion has been used before");
  }
  return client;
};

const decode = (assertion: string) => {
  try {
    return { header: decodeProtectedHeader(assertion), claims: decodeJwt(assertion) };
  } catch (cause) {
    throw new OAuthError("invalid_client", "the assertion is not a JWT", { cause });
  }
};

/** A FAPI client names the issuer; others may name the endpoint (RFC 9126 §2, RFC 7523 §3). */
const audiencesFor = ({ config }: Deps, client: ClientRow, path: string): string[] =>
  client.dpopBound || config.strictAssertionAudience
    ? [config.baseUrl]
    : [config.baseUrl, `${config.baseUrl}/oauth/token`, `${config.baseUrl}/oauth/par`, `${config.baseUrl}${path}`];

/** jose keeps imported keys per key set, so a set lives as long as the client's row is unchanged. */
const keySets = new Map<string, { version: number; resolve: ReturnType<typeof createLocalJWKSet> }>();
const maxKeySets = 5000;

const keySetOf = (client: ClientRow) => {
  const known = keySets.get(client.id);
  if (known?.version === client.version) return known.resolve;
  if (keySets.size >= maxKeySets) keySets.delete(keySets.keys().next().value ?? "");
  const resolve = createLocalJWKSet(client.jwks as JSONWebKeySet);
  keySets.set(client.id, { version: client.version, resolve });
  return resolve;
};

const verifySignature = async (assertion: string, client: ClientRow): Promise<void> => {
  try {
    await compactVerify(assertion, keySetOf(client));
  } catch (cause) {
    if (cause instanceof errors.JOSEError) {
      throw new OAuthError("invalid_client", "the assertion's signature does not verify", { cause });
    }
    throw cause;
  }
};
