import { z } from "zod";

/** Which there are is for the verbs to say. */
export const askedScopes = z.array(z.string().max(64)).max(50);

/** How far numbers may go, and which scopes there are, is for the verb to say, in words beside the field. */
export const newToken = z.object({
  label: z.string().trim().min(1).max(100),
  uses: z.int(),
  ttlSeconds: z.int(),
  scopes: askedScopes,
});

export const byToken = z.object({ tokenId: z.string().max(64) });

export const tokenPage = z.object({
  startingAfter: z.string().max(64).optional(),
  limit: z.int().min(1).max(100).default(25),
});
