import { defineRules, type OwnRule } from "../../../kernel/rule.ts";
import { type ClientKind, parseScope, scopeRules, scopesOfKind } from "../scopes.ts";
import { tokenExchangeGrant } from "../tokens/token-exchange.ts";
import type { Raw, SentMetadata } from "./metadata-members.ts";

/** Facts about a client that don't come from its metadata. */
export type RegistrationBounds = {
  /** null: derived from the metadata */
  kind: ClientKind | null;
  /** null: all scopes of the kind are allowed */
  allowedScopes: readonly string[] | null;
  mayChooseBearer: boolean;
  /** whether redirect URIs may be `http://localhost` */
  allowsLocalhost: boolean;
  /** if true, a changed registration can't set it to false */
  dpopBound: boolean;
};

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

/** The values of these members for one client; empty at registration. */
export type ServerMembers = Partial<Record<(typeof serverMembers)[number], unknown>>;

const shared = { places: ["registerClient", "replaceClientRegistration"], error: "invalid_client_metadata" } as const;

export const metadataBodyRules = defineRules<{ body: unknown }>("client metadata, as JSON", shared, [
  {
    name: "metadata-object",
    source: "RFC 7591 §3.1",
    problem: "the body is not a JSON object",
    holds: ({ body }) => typeof body === "object" && body !== null && !Array.isArray(body),
  },
]);

/** Each member must be absent or equal to the server's value: a client may send these members back unchanged. */
export const serverMemberRules = defineRules<{ raw: Raw; own: ServerMembers }>(
  "client metadata that the server sets",
  shared,
  serverMembers.map((member) => ({
    name: `metadata-${member.replaceAll("_", "-")}`,
    source: "RFC 7592 §2.2",
    names: member,
    problem: "is set by the server: omit it",
    holds: ({ raw, own }) => raw[member] === undefined || raw[member] === own[member],
  })),
);

/** The input of rules about several members: each sent member is valid alone. `bounds`: the limits of this client. */
export type Whole = { sent: SentMetadata; bounds: RegistrationBounds };

export const grantTypesOf = ({ grant_types: types }: SentMetadata) => types ?? ["authorization_code" as const];
export const isAgent = (sent: SentMetadata): boolean => grantTypesOf(sent).includes("authorization_code");

export const requestedScopes = ({ scope }: SentMetadata): string[] => (scope ? parseScope(scope) : []);

export const kindOf = ({ sent, bounds }: Whole): ClientKind => {
  const requestsMerchant = requestedScopes(sent).some(
    (name) => Object.hasOwn(scopeRules, name) && scopeRules[name]?.kind === "merchant",
  );
  return bounds.kind ?? (requestsMerchant ? "merchant" : "agent");
};

export const possibleScopes = (whole: Whole): string[] =>
  scopesOfKind(kindOf(whole)).filter((scope) => whole.bounds.allowedScopes?.includes(scope) ?? true);

const needsCode = (name: string, type: "refresh_token" | typeof tokenExchangeGrant): OwnRule<Whole> => ({
  name,
  source: "RFC 7591 §2",
  names: "grant_types",
  problem: `${type} needs authorization_code`,
  holds: ({ sent }) => !grantTypesOf(sent).includes(type) || isAgent(sent),
});

export const registrationRules = defineRules<Whole>("client metadata, as a whole", shared, [
  needsCode("refresh-token-needs-code", "refresh_token"),
  needsCode("token-exchange-needs-code", tokenExchangeGrant),
  {
    name: "merchant-grant-types",
    source: "docs/spec/oauth.md, Clients, scopes and resources",
    names: "grant_types",
    problem: "a merchant client can only use client_credentials",
    holds: ({ sent, bounds }) => bounds.kind !== "merchant" || !isAgent(sent),
  },
  {
    name: "client-of-one-kind",
    source: "docs/spec/oauth.md, Clients, scopes and resources",
    names: "scope",
    problem: "a client is either an agent or a merchant client, not both",
    holds: (whole) => kindOf(whole) === "agent" || !isAgent(whole.sent),
  },
  {
    name: "client-scopes-possible",
    source: "docs/spec/oauth.md, Client registration",
    names: "scope",
    problem: "contains a scope that this client can't have",
    holds: (whole) => {
      const possible = possibleScopes(whole);
      return requestedScopes(whole.sent).every((scope) => possible.includes(scope));
    },
  },
  {
    name: "redirect-uris-count",
    source: "docs/spec/oauth.md, Client registration",
    names: "redirect_uris",
    error: "invalid_redirect_uri",
    problem: "must have 1 to 20 URIs",
    holds: ({ sent }) => {
      const { size } = new Set(sent.redirect_uris);
      return !isAgent(sent) || (size > 0 && size <= 20);
    },
  },
  {
    name: "response-types-of-agents",
    source: "RFC 7591 §2.1",
    names: "response_types",
    problem: "code requires the grant type authorization_code",
    holds: ({ sent }) => !sent.response_types?.length || isAgent(sent),
  },
  {
    name: "one-key-source",
    source: "RFC 7591 §2",
    names: "jwks_uri",
    problem: "can't be combined with jwks",
    holds: ({ sent }) => sent.jwks_uri === undefined || sent.jwks === undefined,
  },
  {
    // Going back to unbound tokens would remove the client's protection against stolen tokens.
    name: "dpop-bound-stays",
    source: "docs/spec/oauth.md, Access tokens",
    names: "dpop_bound_access_tokens",
    problem: "can't be changed from true to false",
    holds: ({ sent, bounds }) => sent.dpop_bound_access_tokens !== false || !bounds.dpopBound,
  },
  {
    name: "dpop-bound-agents",
    source: "docs/spec/oauth.md, Access tokens",
    names: "dpop_bound_access_tokens",
    problem: "must be true for the grant type authorization_code",
    holds: ({ sent, bounds }) => sent.dpop_bound_access_tokens !== false || !isAgent(sent) || bounds.mayChooseBearer,
  },
  {
    name: "webhook-uri-of-agents",
    source: "docs/spec/payments.md, Webhooks",
    names: "webhook_uri",
    problem: "is for agents only: merchants manage webhooks in the dashboard",
    holds: (whole) => whole.sent.webhook_uri === undefined || kindOf(whole) === "agent",
  },
  {
    name: "webhook-secret-of-endpoint",
    source: "docs/spec/payments.md, Webhooks",
    names: "webhook_secret_rotation",
    problem: "requires webhook_uri",
    holds: ({ sent }) => sent.webhook_secret_rotation !== true || sent.webhook_uri !== undefined,
  },
]);
