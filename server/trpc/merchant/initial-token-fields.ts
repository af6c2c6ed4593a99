import { z } from "zod";

/** Which scopes exist is checked by the verbs. */
export const requestedScopes = z.array(z.string().max(64)).max(50);

/** Ranges and scopes are checked by the verb, whose message names the field. */
export const newToken = z.object({
  label: z.string().trim().min(1).max(100),
  uses: z.int(),
  ttlSeconds: z.int(),
  scopes: requestedScopes,
});

export const byToken = z.object({ tokenId: z.string().max(64) });
