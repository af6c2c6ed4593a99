import { freshProofSeconds } from "./tokens.ts";

/**
 * Whether a session's authentication satisfies a request: at most 5 minutes old, and as the client requires (RFC 9470 §5).
 * Authentication after the request was opened satisfies any `max_age`, 0 included.
 */
export const meetsAuthentication = (
  session: { authTime: Date; acr: string },
  requirement: { maxAgeSeconds: number | null; acrValues: readonly string[] },
  { openedAt, now }: { openedAt: Date | null; now: Date },
): boolean => {
  if (requirement.acrValues.length > 0 && !requirement.acrValues.includes(session.acr)) return false;
  const age = (now.getTime() - session.authTime.getTime()) / 1000;
  if (age > freshProofSeconds) return false;
  if (openedAt !== null && session.authTime >= openedAt) return true;
  return age <= (requirement.maxAgeSeconds ?? freshProofSeconds);
};
