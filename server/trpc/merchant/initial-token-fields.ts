import { z } from "zod";

/** The functions that store scopes check whether the scopes exist. */
export const requestedScopes = z.array(z.string().max(64)).max(50);

/** `createInitialAccessToken` checks the ranges and scopes. Its message names the field. */
export const newToken = z.object({
  label: z.string().trim().min(1).max(100),
  uses: z.int(),
  ttlSeconds: z.int(),
  scopes: requestedScopes,
});

export const byToken = z.object({ tokenId: z.string().max(64) });
