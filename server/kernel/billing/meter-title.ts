const serviceNames: Readonly<Record<string, string>> = {
  tokens_issued: "Tokens issued",
  introspections: "Introspections",
  verifications: "Verifications",
  step_ups: "Step-ups",
  active_mandates: "Active mandates",
  successful_charges: "Successful charges",
  webhooks_delivered: "Webhooks delivered",
};

/** A meter's name in the description of an invoice line. */
export const meterTitle = (meter: string): string => serviceNames[meter] ?? meter.replace(/^own:/, "");
