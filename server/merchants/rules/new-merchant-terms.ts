type Settings = {
  environment: "production" | "sandbox";
  merchantApproval: "manual" | "automatic";
  /** null: there is no simulator */
  simulatorUrl: string | null;
  /** null: Stripe isn't configured */
  stripe: object | null;
};

export type NewMerchantTerms = {
  review: "pending" | "approved";
  processor: "simulator" | "stripe";
  /** empty until Stripe has created the account */
  processorAccount: string;
  chargesEnabled: boolean;
};

/**
 * The initial settings of a new merchant (docs/spec/portal.md, Start selling). In the sandbox, the merchant is approved
 * immediately. It has its own account at the simulator if a simulator is configured. In production, the merchant uses
 * Stripe, and its members connect its account. Production has a simulator only on a developer's machine. There, the
 * merchant's payments are simulated until Stripe is configured.
 */
export const newMerchantTerms = (settings: Settings, merchantId: string): NewMerchantTerms => {
  const { environment, merchantApproval, simulatorUrl, stripe } = settings;
  const isSandbox = environment === "sandbox";
  const review = isSandbox || merchantApproval === "automatic" ? "approved" : "pending";
  const isSimulated = simulatorUrl !== null && (isSandbox || stripe === null);
  return isSimulated
    ? { review, processor: "simulator", processorAccount: `acct_${merchantId}`, chargesEnabled: true }
    : { review, processor: "stripe", processorAccount: "", chargesEnabled: false };
};
