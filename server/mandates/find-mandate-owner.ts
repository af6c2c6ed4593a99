import { findMandatePayerId } from "../data/mandates/mandates.ts";
import type { Deps } from "../deps/deps.ts";

/** The payer of a mandate, for the authorization decision; null if the mandate doesn't exist. */
export const findMandateOwner = (deps: Pick<Deps, "db">, input: { mandateId: string }): Promise<string | null> =>
  findMandatePayerId(deps.db, input.mandateId);
