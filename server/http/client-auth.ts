import type { Auth, CallerOf, Endpoint, EndpointRequest, FormFields } from "../contract/endpoint.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";
import { authenticateClient, verifyClient } from "../oauth/clients/authenticate-client.ts";
import { authenticateRegistration } from "../oauth/clients/authenticate-registration.ts";
import { verifyAccessToken } from "../oauth/tokens/verify-access-token.ts";

/** Authenticates the caller as the endpoint's contract requires. @throws OAuthError invalid_client, invalid_token, … */
export const authenticateCaller = async (input: {
  deps: Deps;
  info: RequestInfo;
  endpoint: Endpoint;
  request: EndpointRequest;
  path: string;
  /** the body as received */
  raw: string;
  form: FormFields;
}): Promise<CallerOf<Auth>> => {
  const { deps, info, endpoint, request, path, raw, form } = input;
  switch (endpoint.auth.kind) {
    case "none":
      return null;
    case "client":
      return authenticateClient(deps, { form, authorization: request.headers.get("authorization") });
    case "pending_client":
      return verifyClient(deps, { form, authorization: request.headers.get("authorization") });
    case "registration_token":
      return authenticateRegistration(deps, {
        info,
        clientId: path.slice(path.lastIndexOf("/") + 1),
        authorization: request.headers.get("authorization"),
      });
    case "access_token":
      return verifyAccessToken(deps, {
        info,
        resource: endpoint.auth.resource,
        scope: endpoint.auth.scope,
        orScope: endpoint.auth.orScope,
        limitsAuthenticationAge: endpoint.auth.limitsAuthenticationAge ?? false,
        method: request.method,
        path,
        authorization: request.headers.get("authorization"),
        dpopProof: request.headers.get("dpop"),
        changesState: endpoint.method !== "GET" || endpoint.auth.writes === true,
        mandateId: endpoint.auth.namesMandate ? mandateNamedIn(raw) : null,
      });
  }
};

/** The body isn't validated yet. A value that can't be one of our ids is refused by the endpoint that reads it. */
const mandateNamedIn = (raw: string): string | null => {
  try {
    const { mandate_id: id } = Object(JSON.parse(raw)) as { mandate_id?: unknown };
    return typeof id === "string" && /^mdt_\w{1,60}$/.test(id) ? id : null;
  } catch {
    return null;
  }
};
