import { authorize } from "../../accounts/authorize.ts";
import { findMemberRole } from "../../accounts/memberships.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { sessionActor } from "../../accounts/sessions/session-actor.ts";
import { defineEndpoint, type EndpointRequest } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { getLogoPreview } from "../../merchants/logo/get-logo-preview.ts";
import { logoNotFound } from "../../merchants/logo/logo-not-found.ts";
import { logoParams, logoReply, logoResponses } from "./logo-reply.ts";

/** Browsers must revalidate at each use, because the reader's session may have ended in the meantime. */
const cacheControl = "private, no-cache";

export const merchantLogoPreviewEndpoint = defineEndpoint({
  method: "GET",
  path: "/logos/{merchant_id}/{hash}/preview",
  operationId: "getMerchantLogoPreview",
  summary: "The logo of a merchant in any state, for its members and for operators",
  tag: "Merchants",
  standards: ["RFC 9111"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["invalid_request", "not_found"],
  request: { params: logoParams },
  responses: logoResponses,
  async handle({ deps, request }, { params: { merchant_id: merchantId, hash } }) {
    if (!(await mayPreview({ deps, request }, merchantId))) throw logoNotFound();
    const logo = await getLogoPreview(deps, { merchantId, hash });
    return logoReply(request, { ...logo, hash, cacheControl });
  },
});

const mayPreview = async (
  { deps, request }: { deps: Deps; request: EndpointRequest },
  merchantId: string,
): Promise<boolean> => {
  const session = await findSession(deps, request.headers.get("cookie"));
  if (!session) return false;
  const actor = sessionActor(deps, session);
  if (authorize(actor, "registered_merchant.read", { kind: "any" }) === "allow") return true;
  const role = await findMemberRole(deps, { accountId: session.account.id, merchantId });
  return authorize(actor, "settings.read", { kind: "merchant", role }) === "allow";
};
