import type { AuthenticatedClient, KeySet, PendingClient } from "../../contract/callers.ts";
import { type ClientRow, findClient } from "../../data/oauth/clients.ts";
import { consumeAssertion } from "../../data/oauth/replay.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { type DecodedJws, decodeJws, verifyJws } from "../../kernel/crypto/jws.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { clientKeySet } from "../client-keys/client-keys.ts";
import {
  assertionKeyRules,
  assertionUseRules,
  type CheckedAssertion,
  checkAssertionClaims,
  checkAssertionHeader,
  knownClientRules,
  presentedRules,
  subjectOf,
} from "../rules/clients/client-assertion.ts";

type Input = {
  form: Readonly<Record<string, string | readonly string[]>>;
  authorization: string | null;
};

/**
 * Authenticates by private_key_jwt (RFC 7523 §2.2, FAPI 2.0 §5.3.2.1). An assertion can be used once, in any process.
 * @throws OAuthError invalid_client (401), also if a request uses two authentication methods; temporarily_unavailable
 *   if too many loads of the client's keys wait.
 */
export const authenticateClient = async (deps: Deps, input: Input): Promise<AuthenticatedClient> => {
  const pending = await verifyClient(deps, input);
  return (await pending.settle((assertion) => consumeAssertion(deps.db.sql, assertion))).client;
};

/**
 * Does what `authenticateClient` does, except that the caller must consume the assertion.
 * @throws OAuthError as `authenticateClient` does.
 */
export const verifyClient = async (deps: Deps, input: Input): Promise<PendingClient> => {
  const { jws, clientId } = readAssertion(deps, input);
  const check = ({ row }: CachedClient): CheckedAssertion => {
    checkAssertionHeader(jws.header, row.assertionAlg);
    const audiences = audiencesFor(deps, row);
    return checkAssertionClaims(jws.payload, { clientId, audiences, now: deps.clock.now() });
  };
  const verify: Verify = (found) => {
    checkRules(knownClientRules, { isKnown: found !== null });
    const client = assertPresent(found);
    // Checks that need no key run first. If such a check refuses the request, no keys are loaded for it.
    const checked = check(client);
    const finish = () => {
      verifySignature(jws, client.keys);
      return checked;
    };
    return client.keys.prepare ? client.keys.prepare(jws.header).then(finish) : finish();
  };
  const { client, checked } = await verifyByCached(deps, clientId, verify);
  let isSettled = false;
  const pending: PendingClient = {
    client: client.row,
    async settle(consume) {
      const { version } = client.row;
      const assertion = { clientId, jti: checked.jti, expiresAt: checked.expiresAt, version };
      const consumed = await consume(assertion).catch((error: unknown) => {
        // The assertion may already have been consumed, so consuming it again could be refused as reuse.
        isSettled = isUnavailable(error);
        throw error;
      });
      isSettled = true;
      checkRules(assertionUseRules, consumed);
      const isCurrent = consumed.client?.version === version;
      // The client changed after it was cached: the current row decides.
      const now = isCurrent ? client : await loadClient(deps, clientId);
      if (!isCurrent) await verify(now);
      if (!now || !consumed.client) throw new Error("a consumed assertion has no client");
      const { epoch } = consumed.client;
      return { client: epoch === now.row.epoch ? now.whole : { ...now.whole, epoch }, consumed, isCurrent };
    },
    async ensureSettled() {
      if (!isSettled) await pending.settle((assertion) => consumeAssertion(deps.db.sql, assertion));
    },
  };
  return pending;
};

/** Returns a promise only if keys may have to be loaded. */
type Verify = (client: CachedClient | null) => CheckedAssertion | Promise<CheckedAssertion>;

const verifyByCached = async (
  deps: Deps,
  clientId: string,
  verify: Verify,
): Promise<{ client: CachedClient; checked: CheckedAssertion }> => {
  const cached = caches.get(deps.db)?.get(clientId);
  if (cached) {
    try {
      return { client: cached, checked: await verify(cached) };
    } catch (error) {
      if (!isOAuthError(error)) throw error;
      // The client's keys may have changed after it was cached.
    }
  }
  const client = await loadClient(deps, clientId);
  const checked = await verify(client);
  if (!client) throw new Error("an unknown client was verified");
  return { client, checked };
};

/** The presented credentials, not yet verified. */
const readAssertion = ({ config }: Deps, { form, authorization }: Input): { jws: DecodedJws; clientId: string } => {
  const assertion = form["client_assertion"];
  const jws = typeof assertion === "string" ? decodeJws(assertion) : null;
  checkRules(presentedRules, { authorization, form, jws }, () => ({
    headers: challengeOf(authorization, config.baseUrl),
  }));
  return { jws: assertPresent(jws), clientId: subjectOf(jws) };
};

/** The challenge for the scheme of the Authorization header, if one was sent (RFC 6749 §5.2). */
const challengeOf = (authorization: string | null, realm: string): Record<string, string> => {
  if (authorization === null) return {};
  const scheme = /^[A-Za-z]{1,20}/.exec(authorization)?.[0] ?? "Bearer";
  return { "www-authenticate": `${scheme} realm="${realm}"` };
};

/** A FAPI client must name the issuer; others may also name the token or PAR endpoint (RFC 9126 §2, RFC 7523 §3). */
const audiencesFor = ({ config }: Deps, client: ClientRow): string[] =>
  client.dpopBound || config.strictAssertionAudience
    ? [config.baseUrl]
    : [config.baseUrl, `${config.baseUrl}/oauth/token`, `${config.baseUrl}/oauth/par`];

type CachedClient = { row: ClientRow; keys: KeySet; whole: AuthenticatedClient };

/**
 * A bounded cache per database. A cached client is used only if the statement that consumes the assertion confirms the
 * row's version.
 */
const caches = new WeakMap<Deps["db"], Map<string, CachedClient>>();
const maxCached = 5000;

export const countRememberedClients = (db: Deps["db"]): number => caches.get(db)?.size ?? 0;

const loadClient = async (deps: Deps, clientId: string): Promise<CachedClient | null> => {
  const { db } = deps;
  const cache = caches.get(db) ?? new Map<string, CachedClient>();
  caches.set(db, cache);
  const row = clientId === "" ? null : await findClient(db.sql, clientId);
  cache.delete(clientId);
  if (!row) return null;
  const keys = clientKeySet(deps, row);
  const client = { row, keys, whole: { ...row, keys } };
  if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? "");
  cache.set(clientId, client);
  return client;
};

const verifySignature = (jws: DecodedJws, keys: KeySet): void => {
  const usable = keys.find(jws.header);
  const key = usable ?? keys.findBlocked(jws.header);
  checkRules(assertionKeyRules, {
    hasKey: key !== null,
    isSigned: () => key !== null && verifyJws(jws, key),
    isBlocked: usable === null,
  });
};
