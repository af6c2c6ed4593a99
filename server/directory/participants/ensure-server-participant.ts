import type { Sql } from "../../data/client.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";

/** A fixed id: each environment's directory has exactly one such entry. */
export const serverParticipantId = "ptc_server";

/** Enters the authorization server itself, once, by whichever process starts first. */
export const ensureServerParticipant = async (
  sql: Sql,
  { environment, at }: { environment: "production" | "sandbox"; at: Date },
): Promise<void> => {
  await insertParticipant(sql, {
    id: serverParticipantId,
    role: "authorization_server",
    merchantId: null,
    legalName: null,
    at,
    displayName: environment === "sandbox" ? "Paygrant sandbox" : "Paygrant",
  });
};
