import { defineRules } from "../../../kernel/rule.ts";

const shared = { places: ["token"], error: "invalid_grant" } as const;

type Form = Readonly<Record<string, string | readonly string[]>>;

export const refreshRequestRules = defineRules<Form>("refresh, request", { ...shared, error: "invalid_request" }, [
  {
    name: "refresh-token-sent",
    source: "RFC 6749 §6",
    problem: "refresh_token is missing",
    holds: (form) => form["refresh_token"] !== undefined,
  },
]);

type Known = { token: { clientId: string } | null; clientId: string };

export const refreshTokenRules = defineRules<Known>("refresh token", shared, [
  {
    // Same answer for unknown tokens and other clients' tokens.
    name: "refresh-token-own",
    source: "RFC 6749 §6",
    problem: "the refresh token is unknown",
    holds: ({ token, clientId }) => token?.clientId === clientId,
  },
]);

export const refreshAgeRules = defineRules<{ hasEnded: boolean }>("refresh token, lifetime", shared, [
  {
    name: "refresh-token-live",
    source: "RFC 6749 §5.2",
    problem: "the refresh token has expired or was revoked",
    holds: ({ hasEnded }) => !hasEnded,
  },
]);

export const refreshScopeRules = defineRules<{ granted: readonly string[]; requested: readonly string[] }>(
  "refresh, scope",
  { ...shared, error: "invalid_scope" },
  [
    {
      name: "refresh-scope-narrower",
      source: "RFC 6749 §6",
      problem: "scope exceeds what was granted",
      holds: ({ granted, requested }) => requested.every((scope) => granted.includes(scope)),
    },
  ],
);

export const refreshUseRules = defineRules<{ isReused: boolean }>("refresh token, use", shared, [
  {
    name: "refresh-token-not-reused",
    source: "RFC 9700 §4.14.2",
    problem: "the refresh token has been used before",
    holds: ({ isReused }) => !isReused,
  },
]);
