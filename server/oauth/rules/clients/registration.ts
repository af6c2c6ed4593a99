import type { JwsAlgorithmName } from "../../../kernel/crypto/jws.ts";
import { checkRules } from "../../../kernel/rule.ts";
import type { ClientKind } from "../scopes.ts";
import { checkClientKeys } from "./client-jwks.ts";
import { checkMembers, grantTypes, type Raw, type SentMetadata } from "./metadata-members.ts";
import { readableMembers } from "./readable-metadata.ts";
import { checkRedirectUri } from "./redirect-uri.ts";
import {
  grantTypesOf,
  isAgent,
  kindOf,
  possibleScopes,
  type RegistrationBounds,
  registrationRules,
  requestedScopes,
  type ServerMembers,
  serverMemberRules,
  type Whole,
} from "./registration-rules.ts";

/** Stored and returned metadata, defaults included, in wire names (RFC 7591 §2). */
export type ClientMetadata = {
  redirect_uris?: string[];
  token_endpoint_auth_method: "private_key_jwt";
  token_endpoint_auth_signing_alg?: JwsAlgorithmName;
  grant_types: (typeof grantTypes)[number][];
  response_types: "code"[];
  client_name?: string;
  scope: string;
  jwks?: { keys: Record<string, string>[] };
  jwks_uri?: string;
  dpop_bound_access_tokens: boolean;
  authorization_details_types?: string[];
  /** if set, all introspection responses are JWTs (RFC 9701 §6) */
  introspection_signed_response_alg?: "ES256";
  /** as presented (RFC 7591 §2.3) */
  software_statement?: string;
  /** where the client's events are sent (docs/spec/payments.md, Webhooks) */
  webhook_uri?: string;
  [member: string]: unknown;
};

export type Registration = { kind: ClientKind; metadata: ClientMetadata; rotatesWebhookSecret: boolean };

/**
 * Checks client metadata (RFC 7591 §2) and adds defaults. Unknown members are ignored.
 * @throws OAuthError invalid_client_metadata or invalid_redirect_uri, naming the member.
 */
export const checkRegistration = (metadata: Raw, bounds: RegistrationBounds, own: ServerMembers): Registration => {
  const raw = withoutNull(metadata);
  checkRules(serverMemberRules, { raw, own });
  const sent = withGrantTypes(checkMembers(raw), bounds);
  const whole: Whole = { sent, bounds };
  checkRules(registrationRules, whole);
  return {
    kind: kindOf(whole),
    metadata: { ...completed(whole), ...readableMembers(raw) },
    rotatesWebhookSecret: sent.webhook_secret_rotation ?? false,
  };
};

/**
 * A merchant client can't use `authorization_code`, the default of RFC 7591 §2, so it gets `client_credentials` (§3.2.1
 * allows this). Metadata with redirect URIs is that of an agent and isn't changed.
 */
const withGrantTypes = (sent: SentMetadata, bounds: RegistrationBounds): SentMetadata =>
  sent.grant_types === undefined && sent.redirect_uris === undefined && kindOf({ sent, bounds }) === "merchant"
    ? { ...sent, grant_types: ["client_credentials"] }
    : sent;

const withoutNull = (raw: Raw): Raw => Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));

/** The sent members and the defaults of absent ones. */
const completed = (whole: Whole): ClientMetadata => {
  const { sent, bounds } = whole;
  const agent = isAgent(sent);
  // Checked even if the client doesn't use redirects.
  const redirectUris = readRedirectUris(whole);
  return {
    ...(agent ? { redirect_uris: redirectUris } : {}),
    token_endpoint_auth_method: "private_key_jwt",
    ...optional("token_endpoint_auth_signing_alg", sent.token_endpoint_auth_signing_alg),
    grant_types: grantTypes.filter((type) => grantTypesOf(sent).includes(type)),
    response_types: agent ? ["code"] : [],
    ...optional("contacts", sent.contacts && distinct(sent.contacts)),
    ...optional("software_id", sent.software_id),
    ...optional("software_version", sent.software_version),
    scope: grantedScopes(whole).join(" "),
    ...keySource(sent),
    dpop_bound_access_tokens: bounds.dpopBound || (sent.dpop_bound_access_tokens ?? agent),
    ...optional("authorization_details_types", detailsTypes(sent)),
    ...optional("introspection_signed_response_alg", sent.introspection_signed_response_alg),
    ...optional("webhook_uri", sent.webhook_uri),
  };
};

const optional = <T>(member: string, value: T | undefined): Record<string, T> =>
  value === undefined ? {} : { [member]: value };

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

const readRedirectUris = ({ sent: { redirect_uris: uris = [] }, bounds }: Whole): string[] => {
  for (const uri of uris) checkRedirectUri(uri, bounds);
  return distinct(uris);
};

/** Default scopes of an agent (docs/spec/oauth.md, Clients, scopes and resources). */
const agentDefaults: readonly string[] = ["grant_management_query", "grant_management_revoke"];

const grantedScopes = (whole: Whole): readonly string[] => {
  const requested = requestedScopes(whole.sent);
  if (requested.length > 0) return requested;
  const possible = possibleScopes(whole);
  return kindOf(whole) === "agent" ? possible.filter((scope) => agentDefaults.includes(scope)) : possible;
};

const detailsTypes = ({ authorization_details_types: types, ...sent }: SentMetadata): string[] | undefined =>
  types ? distinct(types) : isAgent(sent) ? ["payment_mandate_v1"] : undefined;

/** The keys at `jwks_uri` are checked when they are loaded. */
const keySource = ({ jwks, jwks_uri: uri }: SentMetadata): Pick<ClientMetadata, "jwks" | "jwks_uri"> =>
  uri === undefined ? { jwks: { keys: checkClientKeys(jwks, "jwks") } } : { jwks_uri: uri };
