export type AppPurpose = { id: string; label: string; scopes: readonly string[] };

/** The purposes that an app can have, each with the scopes that it requires. */
export const appPurposes: readonly AppPurpose[] = [
  {
    id: "shop",
    label: "Verify and charge mandates, for example a shop or a subscription service",
    scopes: ["mandates.verify", "charges.write", "charges.read"],
  },
  {
    id: "service",
    label: "Refund and look up payments, for example customer service",
    scopes: ["charges.read", "refunds.write"],
  },
  {
    id: "reports",
    label: "Read payments and usage, for example accounting",
    scopes: ["charges.read", "billing.read"],
  },
  { id: "other", label: "Something else: choose the scopes", scopes: [] },
];
