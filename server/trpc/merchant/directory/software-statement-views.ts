import type { ListedSoftwareStatement } from "../../../data/directory/software-statements.ts";

/** Plain JSON for the pages, with times as RFC 3339 texts. */
export const toSoftwareStatement = (statement: ListedSoftwareStatement, now: Date) => ({
  id: statement.id,
  softwareId: statement.softwareId,
  clientName: statement.clientName,
  state: stateOf(statement, now),
  maker: statement.maker,
  createdAt: statement.createdAt.toISOString(),
  expiresAt: statement.expiresAt.toISOString(),
});

type State = "live" | "expired" | "revoked";

const stateOf = ({ revokedAt, expiresAt }: ListedSoftwareStatement, now: Date): State => {
  if (revokedAt !== null) return "revoked";
  return expiresAt > now ? "live" : "expired";
};
export type SoftwareStatement = ReturnType<typeof toSoftwareStatement>;
