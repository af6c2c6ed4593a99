/** Risky acts ask again if the last proof of who is there is older (3-portal, Signing in). */
const recentProofSeconds = 5 * 60;

export const isRecentProof = (authTime: Date, now: Date): boolean =>
  now.getTime() - authTime.getTime() <= recentProofSeconds * 1_000;
