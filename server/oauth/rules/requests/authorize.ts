import { defineRules } from "../../../kernel/rule.ts";
import { requestUriPrefix } from "../tokens/tokens.ts";

const shared = { places: ["authorize", "authorizeByForm"], error: "request_unknown" } as const;

/** The same error for every link with a request_uri, so that a guessed link reveals nothing about other requests. */
const problem = "This request is unknown, expired or already completed. Start again in the app.";

type Pair = { clientId: string | undefined; requestUri: string | undefined };

export const authorizePairRules = defineRules<Pair>("authorization request, as sent", shared, [
  {
    // Explains PAR to developers who send parameters without it. The next rules look up the pushed request.
    name: "authorize-request-uri-pushed",
    source: "FAPI 2.0 §5.3.2.2",
    error: "request_not_pushed",
    problem:
      "Authorization requests must be pushed first (RFC 9126): send the parameters to POST /oauth/par, then open /oauth/authorize with client_id and the request_uri from the response.",
    holds: ({ requestUri }) => requestUri?.startsWith(requestUriPrefix) === true,
  },
  {
    name: "authorize-client-id-sent",
    source: "RFC 9126 §4",
    problem,
    holds: ({ clientId }) => clientId !== undefined,
  },
]);

export const authorizeClientRules = defineRules<{ client: { hasForeignKey: boolean } | null }>(
  "authorization request, client",
  shared,
  [
    {
      name: "authorize-client-known",
      source: "RFC 6749 §4.1.2.1",
      problem,
      holds: ({ client }) => client !== null,
    },
    {
      name: "authorize-client-key-not-foreign",
      source: "docs/spec/oauth.md, Key separation",
      problem,
      holds: ({ client }) => client?.hasForeignKey === false,
    },
  ],
);

export const openedRequestRules = defineRules<{ isOpen: boolean }>("authorization request, after the push", shared, [
  {
    // The request must belong to this client, and must not be expired or completed.
    name: "authorize-request-open",
    source: "docs/spec/oauth.md, Authorization endpoint",
    problem,
    holds: ({ isOpen }) => isOpen,
  },
]);
