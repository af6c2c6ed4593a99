/** The entry of the authorization server itself: each environment's directory has exactly one. */
export const serverParticipantId = "ptc_server";
