import { type FirstSteps, findFirstSteps } from "../data/merchants/first-steps.ts";
import type { Deps } from "../deps/deps.ts";
import { completeSteps } from "./rules/first-steps.ts";

/**
 * The progress of the getting-started page, derived from the merchant's activity (docs/spec/portal.md, Getting
 * started).
 */
export const readFirstSteps = async (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<FirstSteps> => completeSteps(await findFirstSteps(db.sql, merchantId));
