import { addSeconds } from "../../../kernel/time/clock.ts";

export const daySeconds = 24 * 3600;

/** Days from issue until an invoice is due. */
export const paymentTermDays = 14;

/** How long a draft in production waits for tax details, before an operator may decide. */
const taxWaitDays = 7;

/** @param since when the draft began to wait. @returns when an operator may decide without tax details. */
export const decisionDate = (since: Date): Date => addSeconds(since, taxWaitDays * daySeconds);

/** @returns the latest time since which a draft must have waited, so that an operator may decide at `now`. */
export const decidedUntil = (now: Date): Date => addSeconds(now, -taxWaitDays * daySeconds);

type Draft = { taxDecidedAt: Date | null; updatedAt: Date };
type Known = {
  environment: "production" | "sandbox";
  taxDetails: { taxRegion: string | null; createdAt: Date } | null;
};

/**
 * Whether the tax of a draft is known. In the sandbox, and by an operator's decision, a merchant without tax details is
 * out of scope of tax.
 */
export const taxReadiness = (
  { taxDecidedAt, updatedAt }: Draft,
  { environment, taxDetails }: Known,
): "ready" | "awaits_tax_details" | "draft_outdated" => {
  if (taxDetails?.taxRegion) return taxDetails.createdAt > updatedAt ? "draft_outdated" : "ready";
  return environment === "sandbox" || taxDecidedAt !== null ? "ready" : "awaits_tax_details";
};
