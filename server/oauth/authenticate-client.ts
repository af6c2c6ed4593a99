import { appendAuditAlone } from "../data/audit.ts";
import { type ClientRow, findClient } from "../data/clients.ts";
import { consumeAssertion } from "../data/replay.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { isOAuthError, OAuthError } from "../kernel/errors.ts";
import { type DecodedJws, decodeJws, type JwsAlgorithm, verifyJws } from "../kernel/jws.ts";
import { isText } from "../kernel/text.ts";
import { createKeySet, type KeySet } from "./key-set.ts";
import { type CheckedAssertion, checkAssertionClaims, checkAssertionHeader } from "./rules/client-assertion.ts";

export type AuthenticatedClient = ClientRow;

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

type Input = {
  info: RequestInfo;
  form: Readonly<Record<string, string | readonly string[]>>;
  authorization: string | null;
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
      await appendAuditAlone(deps.db, {
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

const authenticate = async (deps: Deps, { form, authorization }: Input): Promise<AuthenticatedClient> => {
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
  const jws = decodeJws(assertion);
  if (!jws) throw new OAuthError("invalid_client", "the assertion is not a JWT");
  const { header, payload: claims } = jws;
  const clientId = typeof claims.sub === "string" && isText(claims.sub) ? claims.sub : "";
  if (form["client_id"] !== undefined && form["client_id"] !== clientId) {
    throw new OAuthError("invalid_client", "client_id is not the assertion's subject");
  }
  const now = deps.clock.now();
  const verify = (client: CachedClient | null): CheckedAssertion => {
    if (!client) throw new OAuthError("invalid_client", "the client is unknown");
    checkAssertionHeader(header, client.row.assertionAlg);
    const checked = checkAssertionClaims(claims, { clientId, audiences: audiencesFor(deps, client.row), now });
    verifySignature(jws, client);
    return checked;
  };
  const cached = caches.get(deps.db)?.get(clientId) ?? null;
  let client = cached ?? (await loadClient(deps, clientId));
  let checked: CheckedAssertion;
  try {
    checked = verify(client);
  } catch (error) {
    if (!cached) throw error;
    // It may have changed its keys since it was remembered.
    client = await loadClient(deps, clientId);
    checked = verify(client);
  }
  const consumed = await consumeAssertion(deps.db.sql, { clientId, ...checked });
  if (!consumed.isFresh) throw new OAuthError("invalid_client", "the assertion has been used before");
  if (!consumed.client) throw new OAuthError("invalid_client", "the client is unknown");
  if (consumed.client.hasForeignKey) throw new OAuthError("invalid_client", "the client's key belongs to production");
  if (client?.row.version !== consumed.client.version) {
    // The client has changed since it was remembered: what counts is what it is now.
    client = await loadClient(deps, clientId);
    verify(client);
  }
  if (!client) throw new OAuthError("invalid_client", "the client is unknown");
  return { ...client.row, epoch: consumed.client.epoch };
};

/** A FAPI client names the issuer; others may name the token or the PAR endpoint (RFC 9126 §2, RFC 7523 §3). */
const audiencesFor = ({ config }: Deps, client: ClientRow): string[] =>
  client.dpopBound || config.strictAssertionAudience
    ? [config.baseUrl]
    : [config.baseUrl, `${config.baseUrl}/oauth/token`, `${config.baseUrl}/oauth/par`];

type CachedClient = { row: ClientRow; keys: KeySet };

/** Per database, bounded; used only while `consumeAssertion` says that the row still has this version. */
const caches = new WeakMap<Deps["db"], Map<string, CachedClient>>();
const maxCached = 5000;

const loadClient = async ({ db }: Deps, clientId: string): Promise<CachedClient | null> => {
  const cache = caches.get(db) ?? new Map<string, CachedClient>();
  caches.set(db, cache);
  const row = clientId === "" ? null : await findClient(db.sql, clientId);
  cache.delete(clientId);
  if (!row) return null;
  const client = { row, keys: createKeySet(row.jwks) };
  if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? "");
  cache.set(clientId, client);
  return client;
};

/** Its algorithm was checked before. */
const verifySignature = (jws: DecodedJws, client: CachedClient): void => {
  const key = client.keys.find(jws.header);
  if (!key) throw new OAuthError("invalid_client", "the assertion's key is not one of the client's");
  if (!verifyJws(jws, jws.header["alg"] as JwsAlgorithm, key)) {
    throw new OAuthError("invalid_client", "the assertion's signature does not verify");
  }
};
