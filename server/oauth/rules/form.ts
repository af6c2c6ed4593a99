import { defineRules } from "../../kernel/rule.ts";
import { isText } from "../../kernel/text.ts";

/** RFC 8707 §2 and RFC 8693 §2.1 let these two repeat. */
export const repeatable: ReadonlySet<string> = new Set(["resource", "audience"]);

/** A parameter as it is read, and the names of those before it. */
type Parameter = { name: string; value: string; seen: ReadonlySet<string> };

export const parameterRules = defineRules<Parameter>(
  "parameter of a form or query",
  { places: ["every form"], error: "invalid_request" },
  [
    {
      name: "parameter-text",
      source: "RFC 6749 Appendix B",
      problem: "a parameter holds NUL",
      holds: ({ name, value }) => isText(name) && isText(value),
    },
    {
      name: "parameter-once",
      source: "RFC 6749 §3.1, §3.2",
      problem: "a parameter is sent more than once",
      holds: ({ name, seen }) => repeatable.has(name) || !seen.has(name),
    },
  ],
);

/** Logs and histories keep addresses, so nothing secret may stand in them, whatever the body holds. */
export const queryRules = defineRules<{ has(name: string): boolean }>(
  "query of an authenticated request",
  { places: ["every private_key_jwt", "every access token"], error: "invalid_request" },
  [
    {
      name: "no-credentials-in-query",
      source: "RFC 6749 §2.3.1",
      error: "invalid_client",
      problem: "credentials must not be in the address",
      holds: (query) => !query.has("client_assertion") && !query.has("client_secret"),
    },
    {
      name: "no-token-in-query",
      source: "RFC 9700 §4.3.2",
      problem: "an access token must not be in the address",
      holds: (query) => !query.has("access_token"),
    },
  ],
);
