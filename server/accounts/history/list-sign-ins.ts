import { findSignInEvents } from "../../data/accounts/sign-in-events.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Place } from "../../deps/places.ts";
import type { RecordedOutcome } from "./record-sign-in.ts";

export type SignInView = {
  id: string;
  at: Date;
  outcome: RecordedOutcome;
  userAgent: string;
  ipAddress: string;
  /** place of the IP address; null if the place is unknown or no database of places is configured */
  place: Place | null;
};

/** The sign-ins and failed attempts of the last 90 days, newest first. */
export const listSignIns = async (
  { db, places }: Pick<Deps, "db" | "places">,
  input: { accountId: string; startingAfter: string | null; limit: number },
): Promise<{ signIns: SignInView[]; hasMore: boolean }> => {
  const rows = await findSignInEvents(db, input);
  const shown = rows.slice(0, input.limit);
  return {
    signIns: shown.map((row) => ({ ...row, place: places.find(row.ipAddress) })),
    hasMore: rows.length > shown.length,
  };
};
