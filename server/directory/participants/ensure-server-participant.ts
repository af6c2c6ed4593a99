import type { Sql } from "../../data/client.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";

/** A fixed id: each environment's directory has exactly one such entry. */
export const serverParticipantId = "ptc_server";

/** Adds the entry of the authorization server itself. Only the process that starts first adds it. */
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
