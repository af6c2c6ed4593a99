import { expect, test } from "vitest";
import { newMerchantTerms } from "./new-merchant-terms.ts";

const stripe = { secretKey: "sk_test_1", webhookSecret: "whsec_1" };
const simulatorUrl = "http://127.0.0.1:1";
const terms = (settings: Partial<Parameters<typeof newMerchantTerms>[0]>) =>
  newMerchantTerms(
    { environment: "production", merchantApproval: "manual", simulatorUrl: null, stripe: null, ...settings },
    "mch_1",
  );

test.each([
  ["sandbox", { environment: "sandbox", simulatorUrl }, "approved", "simulator"],
  ["sandbox with Stripe too", { environment: "sandbox", simulatorUrl, stripe }, "approved", "simulator"],
  ["sandbox with Stripe only", { environment: "sandbox", stripe }, "approved", "stripe"],
  ["production with Stripe", { simulatorUrl, stripe }, "pending", "stripe"],
  ["production on a developer's machine", { simulatorUrl }, "pending", "simulator"],
  ["production before Stripe is configured", {}, "pending", "stripe"],
  ["automatic approval", { merchantApproval: "automatic", stripe }, "approved", "stripe"],
] as const)(
  "%s: the settings determine the new merchant's review and processor (docs/spec/portal.md, Start selling)",
  (_, settings, ...expected) => {
    const { review, processor, processorAccount, chargesEnabled } = terms(settings);
    expect([review, processor]).toEqual(expected);
    // Only the simulator has an account for the merchant from the start.
    const isSimulated = processor === "simulator";
    expect([processorAccount, chargesEnabled]).toEqual([isSimulated ? "acct_mch_1" : "", isSimulated]);
  },
);
