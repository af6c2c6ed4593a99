import type { Sql } from "../../data/client.ts";
import { deleteClientKeySet, type FetchedKeySet, saveClientKeySet } from "../../data/oauth/client-key-sets.ts";
import type { ClientColumns } from "../../data/oauth/clients.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Outbound } from "../../deps/outbound.ts";
import { checkRules } from "../../kernel/rule.ts";
import { checkBlockedKeys } from "../blocklist/check-blocked-keys.ts";
import { fetchClientKeys } from "../client-keys/fetch-client-keys.ts";
import { checkForeignKeys } from "../client-keys/foreign-keys.ts";
import { thumbprintHashes } from "../client-keys/key-thumbprints.ts";
import { loadInTurn } from "../client-keys/load-in-turn.ts";
import { outboundAddressRules } from "../rules/clients/jwks-uri.ts";
import type { Raw } from "../rules/clients/metadata-members.ts";
import { type ClientMetadata, checkRegistration } from "../rules/clients/registration.ts";
import { metadataBodyRules, type RegistrationBounds, type ServerMembers } from "../rules/clients/registration-rules.ts";
import type { ClientKind } from "../rules/scopes.ts";
import { readSoftwareStatement } from "../software-statements/read-software-statement.ts";

type Input = {
  sent: unknown;
  bounds: RegistrationBounds;
  own: ServerMembers;
  /** null at registration */
  clientId: string | null;
  /** hashes of the client's current keys */
  knownHashes: readonly string[];
  /** the current statement, if any */
  knownStatement?: unknown;
};

export type CheckedMetadata = {
  kind: ClientKind;
  metadata: ClientMetadata;
  rotatesWebhookSecret: boolean;
  columns(clientId: string): ClientColumns;
  /**
   * Stores the keys loaded from the jwks_uri; without a jwks_uri, deletes those loaded earlier. Call it in the
   * transaction that writes `columns`.
   * @throws OAuthError invalid_client_metadata if one of the keys is blocked.
   */
  keepKeys(sql: Sql, clientId: string): Promise<void>;
};

/**
 * All checks of client metadata, for registration and replacement. Values of the software statement take precedence.
 * Keys are fetched from the jwks_uri, so that an unusable URL is refused immediately.
 * @throws OAuthError with the codes of RFC 7591 §3.2.2; temporarily_unavailable if the keys can't be checked now.
 */
export const checkClientMetadata = async (deps: Deps, input: Input): Promise<CheckedMetadata> => {
  const { sent, bounds, own, knownStatement } = input;
  checkRules(metadataBodyRules, { body: sent });
  const { software_statement: statement, ...plain } = sent as Raw;
  const isAttested = statement !== undefined && statement !== null;
  const attested = isAttested ? await readSoftwareStatement(deps, statement, knownStatement) : {};
  const checked = checkRegistration({ ...plain, ...attested }, bounds, own);
  const metadata =
    typeof statement === "string" ? { ...checked.metadata, software_statement: statement } : checked.metadata;
  checkWebhookAddress(deps, metadata);
  const keys = await readKeys(deps, metadata, input);
  return {
    kind: checked.kind,
    metadata,
    rotatesWebhookSecret: checked.rotatesWebhookSecret,
    columns: (clientId) => columnsOf(clientId, metadata, keys.hashes),
    async keepKeys(sql, clientId) {
      await checkBlockedKeys(sql, { hashes: keys.hashes, source: keys.loaded ? "jwks_uri" : "jwks" });
      if (keys.loaded) await saveClientKeySet(sql, clientId, keys.loaded);
      else await deleteClientKeySet(sql, clientId);
    },
  };
};

const checkAddress = (outbound: Outbound, member: string, uri: string): void =>
  checkRules(outboundAddressRules, { member, problem: outbound.urlProblem(uri) });

const checkWebhookAddress = ({ webhookOutbound }: Deps, { webhook_uri: uri }: ClientMetadata): void => {
  if (uri !== undefined) checkAddress(webhookOutbound, "webhook_uri", uri);
};

type Keys = { hashes: string[]; loaded: FetchedKeySet | null };

const readKeys = async (deps: Deps, metadata: ClientMetadata, { clientId, knownHashes }: Input): Promise<Keys> => {
  const { jwks, jwks_uri: jwksUri } = metadata;
  if (jwksUri !== undefined) {
    checkAddress(deps.outbound, "jwks_uri", jwksUri);
    const load = () => fetchClientKeys(deps, { jwksUri, knownHashes, canWait: true });
    const loaded = await (clientId === null ? load() : loadInTurn(deps, clientId, load));
    return { hashes: loaded.keyThumbprintHashes, loaded };
  }
  const hashes = await thumbprintHashes(jwks?.keys ?? [], "jwks");
  await checkForeignKeys(deps, { hashes, knownHashes, source: "jwks" });
  return { hashes, loaded: null };
};

const columnsOf = (clientId: string, metadata: ClientMetadata, keyThumbprintHashes: string[]): ClientColumns => ({
  name: metadata.client_name ?? clientId,
  metadata,
  redirectUris: metadata.redirect_uris ?? [],
  grantTypes: metadata.grant_types,
  scopes: metadata.scope === "" ? [] : metadata.scope.split(" "),
  jwks: metadata.jwks ?? null,
  jwksUri: metadata.jwks_uri ?? null,
  keyThumbprintHashes,
  assertionAlg: metadata.token_endpoint_auth_signing_alg ?? null,
  dpopBound: metadata.dpop_bound_access_tokens,
});
