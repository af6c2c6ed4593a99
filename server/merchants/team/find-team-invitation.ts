import { type FoundInvitation, findUsableInvitation } from "../../data/merchants/invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";

/** The invitation behind a link. @returns null for any link that is unknown, used, canceled or expired. */
export const findTeamInvitation = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { token }: { token: string },
): Promise<FoundInvitation | null> => findUsableInvitation(db.sql, sha256Base64url(token), clock.now());
