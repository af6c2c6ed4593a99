import { defineRules } from "../../../kernel/rule.ts";

const shared = { places: ["revokeToken"], error: "invalid_grant" } as const;

export const revokedTokenRules = defineRules<{ issuedTo: string; clientId: string }>("token to revoke", shared, [
  {
    name: "revoked-token-own",
    source: "RFC 7009 §2.1",
    problem: "the token was issued to another client",
    holds: ({ issuedTo, clientId }) => issuedTo === clientId,
  },
]);

export const revokedTypeRules = defineRules<{ isAnotherOfOurs: boolean }>(
  "token to revoke, type",
  { ...shared, error: "unsupported_token_type" },
  [
    {
      // A success response would mean that the token has ended, but it is still valid.
      name: "revoked-token-type",
      source: "RFC 7009 §2.2.1",
      problem: "only access tokens, mandate tokens and refresh tokens can be revoked",
      holds: ({ isAnotherOfOurs }) => !isAnotherOfOurs,
    },
  ],
);
