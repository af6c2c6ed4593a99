import { z } from "zod";
import { defineEndpoint, type RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { openRequest } from "../../oauth/requests/open-request.ts";

const parameters = z.looseObject({ client_id: z.string().optional(), request_uri: z.string().optional() });

const contract = {
  path: "/oauth/authorize",
  tag: "Authorization server",
  standards: ["RFC 6749 §4.1.1", "RFC 9126 §4", "RFC 9700 §4.12"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["400"],
  responses: {
    303: {
      description:
        "Redirects to the consent page, and from there to the client with `iss` (RFC 9207). With `error=access_denied`, `error_description` gives the reason: the payer declined, the request expired, `valid_until` passed, or the grant to replace changed or ended. The URL can be opened in a popup: these pages keep `window.opener`",
    },
  },
} as const;

/** 303 and never 307, so that the form's body is not forwarded (RFC 9700 §4.12). */
const open = async (deps: Deps, sent: z.output<typeof parameters>): Promise<RawReply> => {
  const { consentUrl } = await openRequest(deps, { clientId: sent.client_id, requestUri: sent.request_uri });
  return {
    status: 303,
    headers: { location: consentUrl, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  };
};

const example = {
  client_id: "cl_live_…",
  request_uri: "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c",
};

export const authorizeEndpoint = defineEndpoint({
  ...contract,
  method: "GET",
  operationId: "authorize",
  summary: "Start the payer’s consent",
  request: { query: parameters, example },
  handle: ({ deps }, { query }) => open(deps, query),
});

export const authorizeByFormEndpoint = defineEndpoint({
  ...contract,
  method: "POST",
  operationId: "authorizeByForm",
  summary: "Start the payer’s consent with a form",
  request: { content: "form", body: parameters, example },
  handle: ({ deps }, { body }) => open(deps, body),
});
