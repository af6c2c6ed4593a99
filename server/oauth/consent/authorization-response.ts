import type { Deps } from "../../deps/deps.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";
import { withParameters } from "../rules/clients/redirect-uri.ts";

/**
 * @returns the client's redirect URI with the parameters of the response or error (RFC 6749 §4.1.2, §4.1.2.1),
 *   including `iss` (RFC 9207 §2).
 */
export const authorizationResponse = (
  { config }: Pick<Deps, "config">,
  request: Pick<AuthorizationRequest, "redirectUri" | "state">,
  parameters: { code: string } | { error: "access_denied"; error_description: string },
): string =>
  withParameters(request.redirectUri, {
    ...parameters,
    ...(request.state === null ? {} : { state: request.state }),
    iss: config.baseUrl,
  });
