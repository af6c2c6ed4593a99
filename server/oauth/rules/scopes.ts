import { OAuthError } from "../../kernel/errors.ts";

export type ClientKind = "agent" | "merchant";
export type GrantType =
  | "authorization_code"
  | "refresh_token"
  | "client_credentials"
  | "urn:ietf:params:oauth:grant-type:token-exchange";
export type ResourceName = "authorization_server" | "merchant_test";

type ScopeRule = {
  resource: ResourceName;
  kind: ClientKind;
  grantTypes: readonly GrantType[];
  /** what it lets its holder do */
  meaning: string;
};

/** The one table that gives each scope its resource, grant types and client kind (1-oauth, Clients, scopes, resources). */
export const scopeRules: Readonly<Record<string, ScopeRule>> = {
  grant_management_query: {
    resource: "authorization_server",
    kind: "agent",
    grantTypes: ["authorization_code", "client_credentials"],
    meaning: "an agent reads its own grants",
  },
  grant_management_revoke: {
    resource: "authorization_server",
    kind: "agent",
    grantTypes: ["authorization_code", "client_credentials"],
    meaning: "an agent ends its own grants",
  },
  "mandates.verify": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "a merchant asks whether a payment would fit",
  },
  "charges.write": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "a merchant charges",
  },
  "charges.read": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "a merchant reads its charges",
  },
};

export const scopesOfKind = (kind: ClientKind): string[] =>
  Object.entries(scopeRules)
    .filter(([, rule]) => rule.kind === kind)
    .map(([scope]) => scope);

export const supportedScopes: readonly string[] = Object.keys(scopeRules);

/** RFC 6749 §3.3: tokens of its characters, one space between them; or none at all. */
export const isScope = (text: string | undefined): boolean =>
  text === undefined || /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text);

/** @returns distinct scope tokens. @throws OAuthError invalid_scope for other characters. */
export const parseScope = (text: string | undefined): string[] => {
  if (text === undefined) return [];
  if (!isScope(text)) throw new OAuthError("invalid_scope", "scope is malformed");
  return [...new Set(text.split(" "))];
};

/** The `aud` of a resource's tokens. */
export const resourceUri = (resource: ResourceName, baseUrl: string): string =>
  resource === "authorization_server" ? baseUrl : `${baseUrl}/${resource}`;

export type ResolvedScopes = { scopes: readonly string[]; resource: ResourceName };

/**
 * What a request may have: scopes known, registered, of the client's kind and fit for the grant type, all of one resource.
 * @returns the resource, which is the authorization server where no scope is asked for.
 * @throws OAuthError invalid_scope, invalid_target (RFC 8707 §2).
 */
export const resolveScopes = (input: {
  scopes: readonly string[];
  registered: readonly string[];
  kind: ClientKind;
  grantType: GrantType;
  requestedResources: readonly string[];
  baseUrl: string;
}): ResolvedScopes => {
  const resources = new Set<ResourceName>();
  for (const scope of input.scopes) {
    const rule = scopeRules[scope];
    if (!rule || !Object.hasOwn(scopeRules, scope)) throw new OAuthError("invalid_scope", "a scope is unknown");
    if (!input.registered.includes(scope))
      throw new OAuthError("invalid_scope", "a scope is not registered for this client");
    if (rule.kind !== input.kind) throw new OAuthError("invalid_scope", "a scope is for another kind of client");
    if (!rule.grantTypes.includes(input.grantType)) {
      throw new OAuthError("invalid_scope", "a scope is not available by this grant type");
    }
    resources.add(rule.resource);
  }
  if (resources.size > 1) throw new OAuthError("invalid_scope", "the scopes belong to different resources");
  const resource = [...resources][0] ?? (input.kind === "merchant" ? "merchant_test" : "authorization_server");
  for (const requested of input.requestedResources) {
    if (requested !== resourceUri(resource, input.baseUrl)) {
      throw new OAuthError("invalid_target", "the resource is not one that these scopes belong to");
    }
  }
  return { scopes: input.scopes, resource };
};
