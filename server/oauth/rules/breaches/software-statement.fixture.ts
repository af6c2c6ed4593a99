import { casesOf } from "../../../kernel/rule-cases.fixture.ts";
import {
  statementKeyRules,
  statementParticipantRules,
  statementRules,
  verifiedStatementRules,
} from "../clients/software-statement.ts";

export const statementCases = casesOf(
  statementRules,
  { jwt: { issuer: "https://directory.example" }, directory: "https://directory.example" },
  { "statement-is-jwt": { jwt: null }, "statement-of-directory": { jwt: { issuer: "https://other.example" } } },
);

export const statementKeyCases = casesOf(statementKeyRules, { hasKey: true }, { "statement-key": { hasKey: false } });

export const verifiedStatementCases = casesOf(
  verifiedStatementRules,
  { failure: null, isOfType: true },
  {
    "statement-not-expired": { failure: "expired" },
    "statement-verifies": { failure: "unverified" },
    "statement-typ": { isOfType: false },
  },
);

const standing = { isRevoked: false, participantStatus: "active", verifiedDomains: ["shop.example"] };

export const statementStandingCases = casesOf(
  statementParticipantRules,
  { standing, hosts: ["shop.example", "app.shop.example"] },
  {
    "statement-known": { standing: null },
    "statement-not-revoked": { standing: { ...standing, isRevoked: true } },
    "statement-participant-active": { standing: { ...standing, participantStatus: "suspended" } },
    "statement-verified-domains": { hosts: ["shop.example", "notshop.example"] },
  },
);
