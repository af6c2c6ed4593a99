import { assertionAlgorithms } from "./client-assertion.ts";
import { checkClientKeys } from "./client-jwks.ts";
import { bad, optional, type Raw, readableMembers, stringList, text } from "./metadata-values.ts";
import { redirectUriProblem } from "./redirect-uri.ts";
import { type ClientKind, isScope, parseScope, scopeRules, scopesOfKind } from "./scopes.ts";
import { tokenExchangeGrant } from "./token-exchange.ts";

const grantTypes = ["authorization_code", "refresh_token", "client_credentials", tokenExchangeGrant] as const;

/** RFC 7591 §2, defaults included, in wire names: what is stored and echoed. */
export type ClientMetadata = {
  redirect_uris?: string[];
  token_endpoint_auth_method: "private_key_jwt";
  token_endpoint_auth_signing_alg?: (typeof assertionAlgorithms)[number];
  grant_types: (typeof grantTypes)[number][];
  response_types: "code"[];
  client_name?: string;
  scope: string;
  jwks?: { keys: Record<string, string>[] };
  jwks_uri?: string;
  dpop_bound_access_tokens: boolean;
  authorization_details_types?: string[];
  /** RFC 9701 §6: all its answers are JWTs then */
  introspection_signed_response_alg?: "ES256";
  /** RFC 7591 §2.3, as it was presented */
  software_statement?: string;
  /** where the client's events are sent (Webhooks) */
  webhook_uri?: string;
  [member: string]: unknown;
};

/** What holds for a client before its metadata are read. */
export type RegistrationBounds = {
  /** null: told by the metadata */
  kind: ClientKind | null;
  /** null: all of its kind */
  widestScopes: readonly string[] | null;
  mayChooseBearer: boolean;
  /** stays true once it is */
  dpopBound: boolean;
};

export type Registration = { kind: ClientKind; metadata: ClientMetadata; rotatesWebhookSecret: boolean };

/** Members that the server sets (RFC 7591 §3.2.1, RFC 7592 §3). */
const serverMembers = [
  "client_id",
  "client_id_issued_at",
  "registration_access_token",
  "registration_client_uri",
  "merchant_id",
  "webhook_secret",
  "webhook_public_key",
] as const;

/** What it has set for one client; nothing yet at a first registration. */
export type ServerMembers = Partial<Record<(typeof serverMembers)[number], unknown>>;

/** Equal or absent: a client may send back what it was told, and change none of it (RFC 7592 §2.2). */
const checkServerMembers = (raw: Raw, own: ServerMembers): void => {
  for (const member of serverMembers) {
    const sent = raw[member];
    if (sent !== undefined && sent !== null && sent !== own[member]) bad(member, "is set by the server");
  }
  for (const member of ["client_secret", "client_secret_expires_at"]) {
    if (raw[member] !== undefined && raw[member] !== null) bad(member, "there are no secrets here");
  }
};

/**
 * Checks client metadata (RFC 7591 §2) and fills in what was left out; unknown members are ignored (§3.1).
 * @throws OAuthError invalid_client_metadata or invalid_redirect_uri, naming the member.
 */
export const checkRegistration = (raw: Raw, bounds: RegistrationBounds, own: ServerMembers): Registration => {
  checkServerMembers(raw, own);
  const authMethod = raw["token_endpoint_auth_method"] ?? "private_key_jwt";
  if (authMethod !== "private_key_jwt") bad("token_endpoint_auth_method", "must be private_key_jwt");

  const types = checkGrantTypes(raw);
  const isAgent = types.includes("authorization_code");
  const kind = decideKind(raw, isAgent, bounds.kind);
  return {
    kind,
    metadata: {
      ...(isAgent ? { redirect_uris: checkRedirectUris(raw) } : {}),
      token_endpoint_auth_method: "private_key_jwt",
      ...optional("token_endpoint_auth_signing_alg", checkSigningAlg(raw)),
      grant_types: types,
      response_types: checkResponseTypes(raw, isAgent),
      ...readableMembers(raw),
      ...optional("contacts", stringList(raw, "contacts")),
      ...optional("software_id", text(raw, "software_id", 200)),
      ...optional("software_version", text(raw, "software_version", 200)),
      scope: checkScopes(raw, kind, bounds.widestScopes).join(" "),
      ...checkKeySource(raw),
      dpop_bound_access_tokens: checkDpopBound(raw, isAgent, bounds),
      ...optional("authorization_details_types", checkDetailsTypes(raw, isAgent)),
      ...optional("introspection_signed_response_alg", checkIntrospectionAlg(raw)),
      ...optional("webhook_uri", checkWebhookUri(raw, kind)),
    },
    rotatesWebhookSecret: checkWebhookRotation(raw),
  };
};

/** Whether anything may be sent there is checked by whoever sends. */
const checkWebhookUri = (raw: Raw, kind: ClientKind): string | undefined => {
  const uri = text(raw, "webhook_uri", 2000);
  if (uri !== undefined && kind === "merchant")
    bad("webhook_uri", "a merchant's endpoints are its own, not a client's");
  return uri;
};

/** An instruction, and nothing that stays registered. */
const checkWebhookRotation = (raw: Raw): boolean => {
  const asked = raw["webhook_secret_rotation"] ?? false;
  if (typeof asked !== "boolean") return bad("webhook_secret_rotation", "must be a boolean");
  if (asked && (raw["webhook_uri"] ?? undefined) === undefined) bad("webhook_secret_rotation", "needs webhook_uri");
  return asked;
};

const checkGrantTypes = (raw: Raw): ClientMetadata["grant_types"] => {
  const types = stringList(raw, "grant_types") ?? ["authorization_code"];
  const known = grantTypes.filter((type) => types.includes(type));
  if (known.length !== types.length || known.length === 0) bad("grant_types", "holds a type that is not supported");
  for (const follower of ["refresh_token", tokenExchangeGrant] as const) {
    if (known.includes(follower) && !known.includes("authorization_code")) {
      bad("grant_types", `${follower} needs authorization_code`);
    }
  }
  return known;
};

/** What is malformed here is metadata (RFC 7591 §3.2.2), and no scope that a token request asked for. */
const scopesOf = (raw: Raw): string[] => {
  if (raw["scope"] === "") return [];
  const scope = text(raw, "scope", 4000);
  return isScope(scope) ? parseScope(scope) : bad("scope", "is malformed");
};

const decideKind = (raw: Raw, isAgent: boolean, fixed: ClientKind | null): ClientKind => {
  const asksMerchant = scopesOf(raw).some(
    (name) => Object.hasOwn(scopeRules, name) && scopeRules[name]?.kind === "merchant",
  );
  if (fixed === "merchant" && isAgent) bad("grant_types", "a merchant's client has client_credentials alone");
  const kind = fixed ?? (asksMerchant ? "merchant" : "agent");
  if (kind === "merchant" && isAgent) bad("scope", "a client is an agent or a merchant's client, never both");
  return kind;
};

/** What an agent has that names no scope (1-oauth, Clients, scopes, resources). */
const agentDefaults: readonly string[] = ["grant_management_query", "grant_management_revoke"];

const checkScopes = (raw: Raw, kind: ClientKind, widest: readonly string[] | null): readonly string[] => {
  const asked = scopesOf(raw);
  const possible = scopesOfKind(kind).filter((scope) => widest?.includes(scope) ?? true);
  if (asked.length === 0) {
    return kind === "agent" ? possible.filter((scope) => agentDefaults.includes(scope)) : possible;
  }
  for (const scope of asked) if (!possible.includes(scope)) bad("scope", "holds a scope that this client can't have");
  return asked;
};

const checkRedirectUris = (raw: Raw): string[] => {
  const uris = stringList(raw, "redirect_uris") ?? [];
  if (uris.length === 0 || uris.length > 20) bad("redirect_uris", "must hold 1 to 20 addresses");
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) bad("redirect_uris", `an address is ${problem}`.replace("is has", "has"));
  }
  return uris;
};

const checkResponseTypes = (raw: Raw, isAgent: boolean): "code"[] => {
  const types = stringList(raw, "response_types");
  if (types?.some((type) => type !== "code")) bad("response_types", "only code is supported");
  if (types?.length && !isAgent) bad("response_types", "code needs the grant type authorization_code");
  return isAgent ? ["code"] : [];
};

const checkSigningAlg = (raw: Raw): ClientMetadata["token_endpoint_auth_signing_alg"] => {
  const alg = text(raw, "token_endpoint_auth_signing_alg", 20);
  if (alg === undefined) return undefined;
  return (
    assertionAlgorithms.find((known) => known === alg) ?? bad("token_endpoint_auth_signing_alg", "is not supported")
  );
};

/** RFC 9701 §6: answers are signed by ES256, and never encrypted: a client that counts on that must not be misled. */
const checkIntrospectionAlg = (raw: Raw): "ES256" | undefined => {
  const alg = raw["introspection_signed_response_alg"] ?? undefined;
  if (alg !== undefined && alg !== "ES256") return bad("introspection_signed_response_alg", "must be ES256");
  for (const member of ["introspection_encrypted_response_alg", "introspection_encrypted_response_enc"]) {
    if (raw[member] !== undefined && raw[member] !== null) bad(member, "is not supported");
  }
  return alg;
};

/** RFC 9449 §5.2. What was bound once stays bound: who holds tokens of such a client counts on it. */
const checkDpopBound = (raw: Raw, isAgent: boolean, bounds: RegistrationBounds): boolean => {
  const asked = raw["dpop_bound_access_tokens"] ?? undefined;
  if (asked !== undefined && typeof asked !== "boolean") return bad("dpop_bound_access_tokens", "must be a boolean");
  if (asked === false && bounds.dpopBound) return bad("dpop_bound_access_tokens", "stays true once it is");
  if (isAgent && asked === false && !bounds.mayChooseBearer) {
    return bad("dpop_bound_access_tokens", "must be true for the grant type authorization_code");
  }
  return bounds.dpopBound || (asked ?? isAgent);
};

const checkDetailsTypes = (raw: Raw, isAgent: boolean): string[] | undefined => {
  const types = stringList(raw, "authorization_details_types");
  if (types?.some((type) => type !== "payment_mandate_v1")) bad("authorization_details_types", "holds an unknown type");
  return types ?? (isAgent ? ["payment_mandate_v1"] : undefined);
};

/** One of the two, never both (RFC 7591 §2). What stands at the address is checked when it is loaded. */
const checkKeySource = (raw: Raw): Pick<ClientMetadata, "jwks" | "jwks_uri"> => {
  const uri = text(raw, "jwks_uri", 2000);
  const jwks = raw["jwks"] ?? undefined;
  if (uri !== undefined && jwks !== undefined) return bad("jwks_uri", "can't stand beside jwks");
  if (uri !== undefined) return { jwks_uri: uri };
  return { jwks: { keys: checkClientKeys(jwks, "jwks") } };
};
