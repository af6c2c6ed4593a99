type Described = {
  roles: readonly string[];
  status: string;
  capabilities: {
    grant_types: readonly string[];
    pushed_authorization_requests: boolean;
    dpop_bound_access_tokens: boolean;
    authorization_details_types: readonly string[];
    currencies: readonly string[];
    webhooks: boolean;
  };
};

export const roleFacet = (role: string): string => `role:${role}`;
/** Only an authorization server that isn't in the directory's own environment has this facet. */
export const environmentFacet = (environment: string): string => `environment:${environment}`;
export const statusFacet = (status: string): string => `status:${status}`;
export const currencyFacet = (code: string): string => `currency:${code}`;

/** The filters of a list of participants. The names of capabilities are those of the API. */
export const facetsOf = ({ roles, status, capabilities }: Described, otherEnvironment: string | null): string[] => [
  ...(otherEnvironment === null ? [] : [environmentFacet(otherEnvironment)]),
  ...roles.map(roleFacet),
  statusFacet(status),
  ...(capabilities.pushed_authorization_requests ? ["par"] : []),
  ...(capabilities.dpop_bound_access_tokens ? ["dpop"] : []),
  ...(capabilities.webhooks ? ["webhooks"] : []),
  ...capabilities.grant_types.map((type) => `grant:${type}`),
  ...capabilities.authorization_details_types.map((type) => `rar:${type}`),
  ...capabilities.currencies.map(currencyFacet),
];

/** A capability as the API's filter names it; `currency:` accepts any code. */
export const capabilityPattern = /^(?:par|dpop|webhooks|(?:rar|grant):[!-~]{1,200}|currency:[A-Z]{3})$/;
