import type { listOperators } from "../../operators/team/list-operators.ts";

/** Plain JSON, with times as RFC 3339 texts. */
export const toOperators = ({ operators, hasMore, invitations }: Awaited<ReturnType<typeof listOperators>>) => ({
  operators: operators.map((one) => ({
    ...one,
    createdAt: one.createdAt.toISOString(),
    lastSignInAt: one.lastSignInAt?.toISOString() ?? null,
  })),
  hasMore,
  invitations: invitations.map((one) => ({ ...one, expiresAt: one.expiresAt.toISOString() })),
});

type Team = ReturnType<typeof toOperators>;
export type TeamOperator = Team["operators"][number];
export type TeamInvitation = Team["invitations"][number];
