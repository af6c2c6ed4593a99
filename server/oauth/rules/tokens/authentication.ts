import { freshProofSeconds } from "./tokens.ts";

/**
 * Whether a session's proof of who is there will do for a request: at most 5 minutes old for any, then as the client asks
 * (RFC 9470 §5). A proof made for this request, since it was opened, meets any `max_age`, 0 included.
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
