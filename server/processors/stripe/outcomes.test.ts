import Stripe from "stripe";
import { expect, test } from "vitest";
import { faultOf } from "./outcomes.ts";

test.each([
  ["account_invalid", { kind: "not_sent", isAccountFault: true }],
  ["more_permissions_required", { kind: "not_sent" }],
  [undefined, { kind: "not_sent" }],
])(
  "an error with the status 403 concerns the merchant's account only if its code is account_invalid: %s",
  (code, fault) => {
    const raw = {
      type: "invalid_request_error",
      message: "No access",
      statusCode: 403,
      ...(code && { code }),
    } as const;
    expect(faultOf(new Stripe.errors.StripePermissionError(raw))).toEqual(fault);
  },
);
