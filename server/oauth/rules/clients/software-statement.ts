import { defineRules } from "../../../kernel/rule.ts";

const shared = {
  places: ["registerClient", "replaceClientRegistration"],
  error: "invalid_software_statement",
  names: "software_statement",
} as const;

type Read = {
  /** null if it isn't a JWT, or is too long */
  jwt: { issuer: string | undefined } | null;
  directory: string;
};

export const statementRules = defineRules<Read>("software statement", shared, [
  {
    name: "statement-is-jwt",
    source: "RFC 7591 §2.3",
    problem: "is not a JWT",
    holds: ({ jwt }) => jwt !== null,
  },
  {
    name: "statement-of-directory",
    source: "RFC 7591 §3.2.2",
    error: "unapproved_software_statement",
    problem: "is not issued by this server's directory",
    holds: ({ jwt, directory }) => jwt?.issuer === directory,
  },
]);

export const statementKeyRules = defineRules<{ hasKey: boolean }>("software statement, key", shared, [
  {
    name: "statement-key",
    source: "docs/spec/oauth.md, Client registration",
    problem: "is not signed by a key of the directory",
    holds: ({ hasKey }) => hasKey,
  },
]);

type Verified = { failure: "expired" | "unverified" | null; isOfType: boolean };

export const verifiedStatementRules = defineRules<Verified>("software statement, verified", shared, [
  {
    name: "statement-not-expired",
    source: "RFC 7519 §4.1.4",
    problem: "has expired",
    holds: ({ failure }) => failure !== "expired",
  },
  {
    name: "statement-verifies",
    source: "RFC 7591 §2.3",
    problem: "has an invalid signature",
    holds: ({ failure }) => failure !== "unverified",
  },
  {
    name: "statement-typ",
    source: "docs/spec/oauth.md, Signing keys",
    problem: "is a JWT of another type",
    holds: ({ isOfType }) => isOfType,
  },
]);
