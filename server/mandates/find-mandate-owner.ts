import { findMandatePayerId } from "../data/mandates/mandates.ts";
import type { Deps } from "../deps/deps.ts";

/** The payer whose mandate this is, for the one decision about who may do what; null where there is none. */
export const findMandateOwner = (deps: Pick<Deps, "db">, input: { mandateId: string }): Promise<string | null> =>
  findMandatePayerId(deps.db, input.mandateId);
