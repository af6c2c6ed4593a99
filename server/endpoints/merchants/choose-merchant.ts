import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { findMemberRole } from "../../accounts/memberships.ts";
import { merchantCookie } from "../../accounts/rules/preference-cookies.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { formContract, redirectTo } from "../accounts/native-form.ts";

const dashboard = "/merchant";

/** Handles the form in the dashboard's banner, which works without JavaScript. */
export const chooseMerchantEndpoint = defineEndpoint({
  ...formContract,
  tag: "Merchants",
  path: "/merchant/choice",
  operationId: "chooseMerchant",
  summary: "Choose the merchant that the dashboard shows",
  errors: "page",
  errorCodes: ["cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ merchant: z.string().regex(/^\w{1,64}$/) }),
    example: { merchant: "mch_1" },
  },
  responses: {
    303: {
      description:
        "Redirects to the dashboard; the choice is in a cookie. Nothing changes if the account isn’t a member of the merchant",
    },
  },
  async handle({ deps, request }, { body: { merchant: merchantId } }) {
    assertSameOrigin(request.headers, deps.config);
    const session = await findSession(deps, request.headers.get("cookie"));
    const role = session && (await findMemberRole(deps, { accountId: session.account.id, merchantId }));
    return redirectTo(dashboard, role ? [merchantCookie(merchantId, deps.config.baseUrl)] : []);
  },
});
