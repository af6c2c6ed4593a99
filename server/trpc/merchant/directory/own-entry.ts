export type Caller = { by: { actor: { id: string }; requestId: string }; merchantId: string };

/** Part of the input of functions that change an entry: the entry, and the member who acts for it. */
export const ownOf = (participantId: string, { by, merchantId }: Caller) => ({
  participantId,
  member: { accountId: by.actor.id, merchantId },
  requestId: by.requestId,
});
