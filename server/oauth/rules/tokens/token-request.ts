import { defineRules } from "../../../kernel/rule.ts";
import { isSameResource } from "../../../kernel/text/uri.ts";

const shared = { places: ["token"], error: "invalid_request" } as const;

type GrantTypeRequest = { grantType: string | undefined; supported: readonly string[] };

export const grantTypeRules = defineRules<GrantTypeRequest>("token request, grant type", shared, [
  {
    name: "grant-type-sent",
    source: "RFC 6749 §4.1.3",
    problem: "grant_type is missing",
    holds: ({ grantType }) => grantType !== undefined,
  },
  {
    name: "grant-type-supported",
    source: "RFC 6749 §5.2",
    error: "unsupported_grant_type",
    problem: "the grant type is not supported",
    holds: ({ grantType = "", supported }) => supported.includes(grantType),
  },
]);

export const grantTypeOfClientRules = defineRules<{ grantType: string; registered: readonly string[] }>(
  "token request, grant type of the client",
  { ...shared, error: "unauthorized_client" },
  [
    {
      name: "grant-type-registered",
      source: "RFC 7591 §2",
      problem: "the client is not registered for this grant type",
      holds: ({ grantType, registered }) => registered.includes(grantType),
    },
  ],
);

type Form = Readonly<Record<string, string | readonly string[]>>;

export const clientCredentialsRules = defineRules<Form>("client credentials", shared, [
  {
    // Only a payer can grant a mandate.
    name: "no-details-without-payer",
    source: "RFC 9396 §5",
    error: "invalid_authorization_details",
    problem: "authorization_details require a payer's consent",
    holds: (form) => form["authorization_details"] === undefined,
  },
]);

/** Tokens of a grant are for the authorization server's own resource. */
export const grantResourceRules = defineRules<{ resources: readonly string[]; baseUrl: string }>(
  "token request, resource of a grant",
  { ...shared, error: "invalid_target" },
  [
    {
      name: "resource-of-grant",
      source: "RFC 8707 §2.2",
      problem: "the grant does not cover this resource",
      holds: ({ resources, baseUrl }) => resources.every((resource) => isSameResource(resource, baseUrl)),
      expected: ({ baseUrl }) => [baseUrl],
    },
  ],
);
