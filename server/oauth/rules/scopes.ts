import type { ResourceName } from "../../kernel/resource-name.ts";
import { checkRules, defineRules } from "../../kernel/rule.ts";
import { isSameResource } from "../../kernel/text/uri.ts";

export type ClientKind = "agent" | "merchant";
type GrantType =
  | "authorization_code"
  | "refresh_token"
  | "client_credentials"
  | "urn:ietf:params:oauth:grant-type:token-exchange";

/** The consent page has a text for each right. */
export type ConsentRight = "see_status" | "end_permission";

type ScopeRule = {
  resource: ResourceName;
  kind: ClientKind | "both";
  grantTypes: readonly GrantType[];
  /** what the scope allows */
  meaning: string;
  /** shown on the consent page, after "may also" (docs/spec/portal.md, Consent) */
  consentRight?: ConsentRight;
};

/**
 * The table of all scopes, each with its resource, grant types and client kind (docs/spec/oauth.md, Clients, scopes and
 * resources).
 */
export const scopeRules: Readonly<Record<string, ScopeRule>> = {
  grant_management_query: {
    resource: "authorization_server",
    kind: "agent",
    grantTypes: ["authorization_code", "client_credentials"],
    meaning: "read the agent's own grants",
    consentRight: "see_status",
  },
  grant_management_revoke: {
    resource: "authorization_server",
    kind: "agent",
    grantTypes: ["authorization_code", "client_credentials"],
    meaning: "revoke the agent's own grants",
    consentRight: "end_permission",
  },
  "mandates.verify": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "check whether a mandate allows a payment",
  },
  "charges.write": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "charge mandates",
  },
  "charges.read": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "read the merchant's charges",
  },
  "refunds.write": {
    resource: "merchant_test",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "refund charges and read refunds",
  },
  "billing.read": {
    resource: "billing",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "read the merchant's usage, subscription, invoices and ledger",
  },
  "billing.write": {
    resource: "billing",
    kind: "merchant",
    grantTypes: ["client_credentials"],
    meaning: "report usage events of the merchant's own meters",
  },
  "directory.write": {
    resource: "directory",
    kind: "both",
    grantTypes: ["client_credentials"],
    meaning: "edit the client's directory entry",
  },
};

const isOfKind = (rule: ScopeRule, kind: ClientKind): boolean => rule.kind === kind || rule.kind === "both";

/** The resources of the table's scopes. */
export const resourceNames: readonly ResourceName[] = [
  ...new Set(Object.values(scopeRules).map(({ resource }) => resource)),
];

export const scopesOfKind = (kind: ClientKind): string[] =>
  Object.entries(scopeRules)
    .filter(([, rule]) => isOfKind(rule, kind))
    .map(([scope]) => scope);

/** The rights in addition to payments, for the consent page. */
export const consentRights = (scopes: readonly string[]): ConsentRight[] =>
  scopes.flatMap((scope) => scopeRules[scope]?.consentRight ?? []);

export const supportedScopes: readonly string[] = Object.keys(scopeRules);

/** RFC 6749 §3.3: tokens separated by one space, or absent. */
export const isScope = (text: string | undefined): boolean =>
  text === undefined || /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text);

const shared = { places: ["pushAuthorizationRequest", "token"], error: "invalid_scope" } as const;

export const scopeFormRules = defineRules<string | undefined>("scope, syntax", shared, [
  { name: "scope-form", source: "RFC 6749 §3.3", problem: "scope is malformed", holds: isScope },
]);

/** @returns distinct scope tokens. @throws OAuthError invalid_scope for other characters. */
export const parseScope = (text: string | undefined): string[] => {
  checkRules(scopeFormRules, text);
  return text === undefined ? [] : [...new Set(text.split(" "))];
};

/** Whether all scopes of the resource are for merchants. */
export const isMerchantResource = (resource: ResourceName): boolean =>
  Object.values(scopeRules).every((rule) => rule.resource !== resource || rule.kind === "merchant");

export type ResourceUrls = { baseUrl: string; discoveryUrl: string };

/** The `aud` of a resource's tokens. */
export const resourceUri = (resource: ResourceName, { baseUrl, discoveryUrl }: ResourceUrls): string => {
  if (resource === "directory") return discoveryUrl;
  return resource === "authorization_server" ? baseUrl : `${baseUrl}/${resource}`;
};

/** RFC 9728 §3.1. */
export const resourceMetadataUrl = (resource: ResourceName, urls: ResourceUrls): string => {
  const { origin, pathname } = new URL(resourceUri(resource, urls));
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
};

/** A route's public URL: the directory may have its own host. */
export const routeUrl = (path: string, urls: ResourceUrls): string =>
  path.startsWith("/directory/")
    ? `${resourceUri("directory", urls)}${path.slice("/directory".length)}`
    : `${urls.baseUrl}${path}`;

export type ResolvedScopes = { scopes: readonly string[]; resource: ResourceName };

type ScopeRequest = {
  scopes: readonly string[];
  registered: readonly string[];
  kind: ClientKind;
  grantType: GrantType;
  requestedResources: readonly string[];
  urls: ResourceUrls;
};

const rulesOf = (scopes: readonly string[]): ScopeRule[] =>
  scopes.flatMap((scope) => (Object.hasOwn(scopeRules, scope) ? (scopeRules[scope] ?? []) : []));

/** `resources`: the resources of the scopes. If there are none, the resource of the client's kind. */
type ResourceScopeRequest = ScopeRequest & { resources: readonly [ResourceName, ...ResourceName[]] };

const resourcesOf = ({ scopes, kind }: ScopeRequest): ResourceScopeRequest["resources"] => {
  const [first, ...others] = new Set(rulesOf(scopes).map(({ resource }) => resource));
  return [first ?? ownResource(kind), ...others];
};

const ownResource = (kind: ClientKind): ResourceName =>
  kind === "merchant" ? "merchant_test" : "authorization_server";

/**
 * The scopes of a request without `scope` (RFC 6749 §3.3): the registered scopes of one resource. This is the requested
 * resource, otherwise the resource of the client's kind, otherwise the first registered resource.
 */
export const defaultScopes = ({ registered, grantType, kind, ...request }: Omit<ScopeRequest, "scopes">): string[] => {
  const possible = registered.filter((scope) => scopeRules[scope]?.grantTypes.includes(grantType));
  const resources = new Set(rulesOf(possible).map(({ resource }) => resource));
  const named = [...resources].find((resource) =>
    request.requestedResources.some((requested) => isSameResource(requested, resourceUri(resource, request.urls))),
  );
  const own = ownResource(kind);
  const meant = named ?? (resources.has(own) ? own : [...resources][0]);
  return possible.filter((scope) => scopeRules[scope]?.resource === meant);
};

export const scopeRequestRules = defineRules<ResourceScopeRequest>("scopes and resource", shared, [
  {
    name: "scope-any",
    source: "RFC 6749 §3.3",
    problem: "scope is required: the client has no registered default",
    holds: ({ scopes, grantType }) => scopes.length > 0 || grantType !== "client_credentials",
  },
  {
    name: "scope-known",
    source: "RFC 6749 §5.2",
    problem: "a scope is unknown",
    holds: ({ scopes }) => scopes.every((scope) => Object.hasOwn(scopeRules, scope)),
  },
  {
    name: "scope-registered",
    source: "RFC 7591 §2",
    problem: "a scope is not registered for this client",
    holds: ({ scopes, registered }) => scopes.every((scope) => registered.includes(scope)),
    expected: ({ registered }) => registered,
  },
  {
    name: "scope-of-kind",
    source: "docs/spec/oauth.md, Clients, scopes and resources",
    problem: "a scope is not available for this kind of client",
    holds: ({ scopes, kind }) => rulesOf(scopes).every((rule) => isOfKind(rule, kind)),
  },
  {
    name: "scope-of-grant-type",
    source: "docs/spec/oauth.md, Clients, scopes and resources",
    problem: "a scope is not available with this grant type",
    holds: ({ scopes, grantType }) => rulesOf(scopes).every(({ grantTypes }) => grantTypes.includes(grantType)),
  },
  {
    name: "scopes-of-one-resource",
    source: "RFC 8707 §2.2",
    problem: "the scopes belong to different resources: request one token for each resource",
    holds: ({ resources }) => resources.length === 1,
  },
  {
    name: "resource-of-scopes",
    source: "RFC 8707 §2",
    error: "invalid_target",
    problem: "the resource does not have these scopes",
    holds: ({ requestedResources, resources: [resource], urls }) =>
      requestedResources.every((requested) => isSameResource(requested, resourceUri(resource, urls))),
    expected: ({ resources: [resource], urls }) => [resourceUri(resource, urls)],
  },
]);

/**
 * Checks that the requested scopes are known, registered, of the client's kind, allowed for the grant type and all of
 * one resource. @returns the scopes and their resource; without scopes, the resource of the client's kind.
 * @throws OAuthError invalid_scope, invalid_target (RFC 8707 §2).
 */
export const resolveScopes = (request: ScopeRequest): ResolvedScopes => {
  const resources = resourcesOf(request);
  checkRules(scopeRequestRules, { ...request, resources });
  return { scopes: request.scopes, resource: resources[0] };
};
