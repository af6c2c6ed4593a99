import { addSeconds } from "../../../kernel/time/clock.ts";

export const daySeconds = 24 * 3600;

/** An invoice is due this many days after it is issued. */
export const paymentTermDays = 14;

/** How long a draft in production waits for tax details before an operator may decide without them. */
const taxWaitDays = 7;

/** @param since when the draft began to wait. @returns when an operator may decide without tax details. */
export const decisionDate = (since: Date): Date => addSeconds(since, taxWaitDays * daySeconds);

/** @returns the cut-off: at `now`, an operator may decide on drafts that have waited since this time or longer. */
export const decidedUntil = (now: Date): Date => addSeconds(now, -taxWaitDays * daySeconds);

type Draft = { taxDecidedAt: Date | null; updatedAt: Date };
type Known = {
  environment: "production" | "sandbox";
  taxDetails: { taxRegion: string | null; createdAt: Date } | null;
};

/**
 * Whether the tax of a draft is known. Without tax details, a draft in the sandbox is out of scope of tax. In
 * production, it is out of scope only after an operator decides so.
 */
export const taxReadiness = (
  { taxDecidedAt, updatedAt }: Draft,
  { environment, taxDetails }: Known,
): "ready" | "awaits_tax_details" | "draft_outdated" => {
  if (taxDetails?.taxRegion) return taxDetails.createdAt > updatedAt ? "draft_outdated" : "ready";
  return environment === "sandbox" || taxDecidedAt !== null ? "ready" : "awaits_tax_details";
};
