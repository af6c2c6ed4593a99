import { defineRules } from "../../../kernel/rule.ts";
import { verifiedDomainOf } from "../../../kernel/text/verified-domain.ts";

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
    problem: "has an invalid signature or invalid claims",
    holds: ({ failure }) => failure !== "unverified",
  },
  {
    name: "statement-typ",
    source: "docs/spec/oauth.md, Signing keys",
    problem: "is a JWT of another type",
    holds: ({ isOfType }) => isOfType,
  },
]);

type Standing = {
  /** null if the directory has no record of the statement */
  standing: { isRevoked: boolean; participantStatus: string; verifiedDomains: readonly string[] } | null;
  /** the hosts of the URLs in the statement */
  hosts: readonly string[];
};

export const statementParticipantRules = defineRules<Standing>(
  "software statement, participant",
  { ...shared, error: "unapproved_software_statement" },
  [
    {
      name: "statement-known",
      source: "RFC 7591 §3.2.2",
      problem: "is not known to the directory",
      holds: ({ standing }) => standing !== null,
    },
    {
      name: "statement-not-revoked",
      source: "RFC 7591 §3.2.2",
      problem: "has been revoked",
      holds: ({ standing }) => standing?.isRevoked === false,
    },
    {
      name: "statement-participant-active",
      source: "RFC 7591 §3.2.2",
      problem: "belongs to a participant that is not active in the directory",
      holds: ({ standing }) => standing?.participantStatus === "active",
    },
    {
      name: "statement-verified-domains",
      source: "RFC 7591 §3.2.2",
      problem: "has a URL outside the verified domains of the participant",
      holds: ({ standing, hosts }) =>
        hosts.every((host) => verifiedDomainOf(host, standing?.verifiedDomains ?? []) !== null),
    },
  ],
);
