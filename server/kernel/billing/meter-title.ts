const serviceNames = {
  successful_charges: "Successful charges",
  active_mandates: "Active mandates",
  verifications: "Verifications",
  tokens_issued: "Tokens issued",
  introspections: "Introspections",
  step_ups: "Payer approvals requested",
  webhooks_delivered: "Webhooks delivered",
} as const;

/** Meters that the service counts itself (docs/spec/billing.md, Meters). */
export const serviceMeters: readonly string[] = Object.keys(serviceNames);

const isServiceName = (meter: string): meter is keyof typeof serviceNames => Object.hasOwn(serviceNames, meter);

/** A meter's display name, on pages and in the descriptions of invoice lines. */
export const meterTitle = (meter: string): string =>
  isServiceName(meter) ? serviceNames[meter] : meter.replace(/^own:/, "");
