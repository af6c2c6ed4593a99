import { defineRules, type OwnRule } from "../../../kernel/rule.ts";

const shared = { places: ["registerClient", "replaceClientRegistration"], error: "invalid_client_metadata" } as const;
const source = "docs/spec/oauth.md, Client keys";

/** The problem of a URL, as the HTTP client reports it; null: none. */
type Address = { member: string; problem: string | null };

const addressProblem = (name: string, problem: string): OwnRule<Address> => ({
  name,
  source,
  problem,
  // Compares only the start: while http on loopback is allowed, the text about https ends with this exception.
  holds: (address) => !address.problem?.startsWith(problem),
});

export const outboundAddressRules = defineRules<Address>(
  "jwks_uri and webhook_uri",
  { ...shared, names: { any: "jwks_uri or webhook_uri", one: ({ member }) => member } },
  [
    addressProblem("outbound-uri-absolute", "is not an absolute URI"),
    addressProblem("outbound-uri-no-fragment", "has a fragment"),
    addressProblem("outbound-uri-no-credentials", "has credentials"),
    addressProblem("outbound-uri-host", "has a host name that is too long"),
    addressProblem("outbound-uri-https", "must use https on port 443"),
    {
      name: "outbound-uri-length",
      source,
      problem: "is longer than 2000 characters",
      holds: ({ problem }) => problem === null,
    },
  ],
);

/** The problem of a load; null: the load succeeded. */
type Load = { problem: "bad_address" | "unreachable" | "timed_out" | "too_large" | "bad_answer" | "busy" | null };

const loadProblem = (name: string, of: Load["problem"], problem: string): OwnRule<Load> => ({
  name,
  source,
  problem,
  holds: (load) => load.problem !== of,
});

export const jwksUriLoadRules = defineRules<Load>("jwks_uri, loaded", { ...shared, names: "jwks_uri" }, [
  {
    ...loadProblem("jwks-uri-loads-free", "busy", "can't be loaded right now"),
    error: "temporarily_unavailable",
  },
  loadProblem("jwks-uri-fetchable", "bad_address", "must use https on port 443, without credentials or a fragment"),
  loadProblem("jwks-uri-reachable", "unreachable", "can't be reached: its host has no public IP address that responds"),
  loadProblem("jwks-uri-in-time", "timed_out", "does not answer within 5 seconds"),
  loadProblem("jwks-uri-size", "too_large", "returns more than 64 KiB"),
  loadProblem("jwks-uri-json", "bad_answer", "does not return status 200 with JSON"),
]);
