import { defineRules } from "../../../kernel/rule.ts";
import { verifierMatches } from "./pkce.ts";

const shared = { places: ["token"], error: "invalid_grant" } as const;

type Form = Readonly<Record<string, string | readonly string[]>>;

export const codeRequestRules = defineRules<Form>("code, request", { ...shared, error: "invalid_request" }, [
  {
    name: "code-sent",
    source: "RFC 6749 §4.1.3",
    problem: "code is missing",
    holds: (form) => form["code"] !== undefined,
  },
  {
    name: "code-redirect-uri-sent",
    source: "RFC 6749 §4.1.3",
    problem: "redirect_uri is missing",
    holds: (form) => form["redirect_uri"] !== undefined,
  },
]);

type Exchange = {
  code: { clientId: string; redirectUri: string; codeChallenge: string } | null;
  clientId: string;
  redirectUri: string;
  /** "" if absent; an absent verifier gets the same error as a wrong one (RFC 7636 §4.6) */
  verifier: string;
};

export const codeRules = defineRules<Exchange>("code", shared, [
  {
    // Same answer for unknown codes and other clients' codes.
    name: "code-own",
    source: "RFC 6749 §5.2",
    problem: "the code is unknown",
    holds: ({ code, clientId }) => code?.clientId === clientId,
  },
  {
    name: "code-redirect-uri",
    source: "RFC 6749 §4.1.3",
    problem: "redirect_uri differs from the authorization request",
    holds: ({ code, redirectUri }) => code?.redirectUri === redirectUri,
  },
  {
    name: "code-verifier",
    source: "RFC 7636 §4.6",
    problem: "code_verifier does not match",
    holds: ({ code, verifier }) => verifierMatches(verifier, code?.codeChallenge ?? ""),
  },
]);

export const codeAgeRules = defineRules<{ isExpired: boolean }>("code, age", shared, [
  {
    name: "code-not-expired",
    source: "RFC 6749 §4.1.2",
    problem: "the code has expired",
    holds: ({ isExpired }) => !isExpired,
  },
]);

export const codeUseRules = defineRules<{ isFirst: boolean }>("code, use", shared, [
  {
    name: "code-single-use",
    source: "RFC 6749 §4.1.2",
    problem: "the code has been used before",
    holds: ({ isFirst }) => isFirst,
  },
]);

type Grant = {
  hasEnded: boolean;
  /**
   * whether the client's epoch is the same as at client authentication; a change that removes a permission raises it
   */
  isClientEpoch: boolean;
};

export const grantRules = defineRules<Grant>("grant of a code or refresh token", shared, [
  {
    name: "grant-live",
    source: "docs/spec/oauth.md, Refresh tokens",
    problem: "the grant has expired or was revoked",
    holds: ({ hasEnded }) => !hasEnded,
  },
  {
    // The request was checked with an earlier registration: a token with the new epoch must not exceed the current
    // registration.
    name: "client-unchanged",
    source: "RFC 7592 §2.2",
    error: "invalid_request",
    problem: "the client's registration was changed: start a new authorization request",
    holds: ({ isClientEpoch }) => isClientEpoch,
  },
]);
