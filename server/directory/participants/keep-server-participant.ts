import type { Sql } from "../../data/client.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";

/** Its own environment's, and known beforehand: there is one in each directory. */
export const serverParticipantId = "ptc_server";

/** The authorization server itself takes part: entered once, whoever starts first. */
export const keepServerParticipant = async (
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
