import type { OpenTransfer } from "../../../data/directory/transfers/participant-transfers.ts";

/** Plain JSON for the page, with times as RFC 3339 texts. */
export const toEntryTransfer = (transfer: OpenTransfer) => ({
  id: transfer.id,
  entry: {
    id: transfer.participantId,
    displayName: transfer.displayName,
    status: transfer.status,
    domains: transfer.domains,
  },
  from: { id: transfer.fromMerchantId, name: transfer.fromName },
  to: { id: transfer.toMerchantId, name: transfer.toName },
  offeredAt: transfer.offeredAt.toISOString(),
  expiresAt: transfer.expiresAt.toISOString(),
});

export type EntryTransfer = ReturnType<typeof toEntryTransfer>;
