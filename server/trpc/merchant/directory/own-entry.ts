export type Caller = { by: { actor: { id: string }; requestId: string }; merchantId: string };

/** The member acts for the merchant's entry. */
export const ownOf = (participantId: string, { by, merchantId }: Caller) => ({
  participantId,
  member: { accountId: by.actor.id, merchantId },
  requestId: by.requestId,
});
