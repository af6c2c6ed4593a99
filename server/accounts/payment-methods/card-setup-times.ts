import { addSeconds } from "../../kernel/time/clock.ts";

/** How long the processor's page accepts a card. */
const pageSeconds = 3_600;
const firstLookupSeconds = 60;
/**
 * How long to look up a setup after its page expires. If the processor can't be reached in all this time, the setup
 * ends without a result.
 */
const maxLookupSeconds = 24 * 3_600;

/** The times of a card setup that begins now. */
export const cardSetupTimes = (now: Date): { createdAt: Date; expiresAt: Date; nextLookupAt: Date } => ({
  createdAt: now,
  expiresAt: addSeconds(now, pageSeconds),
  nextLookupAt: addSeconds(now, firstLookupSeconds),
});

/** Whether a card setup without a result ends now. */
export const isCardSetupGivenUp = ({ expiresAt }: { expiresAt: Date }, now: Date): boolean =>
  now >= addSeconds(expiresAt, maxLookupSeconds);
