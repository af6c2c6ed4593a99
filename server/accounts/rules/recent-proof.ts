/** Risky actions need a new proof of identity after this time (docs/spec/portal.md, Recent authentication). */
const recentProofSeconds = 5 * 60;

export const isRecentProof = (authTime: Date, now: Date): boolean =>
  now.getTime() - authTime.getTime() <= recentProofSeconds * 1_000;
