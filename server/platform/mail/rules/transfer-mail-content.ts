type About = {
  /** the side of the recipients: the merchant that offers the entry, or the one that gets it */
  side: "from" | "to";
  entryId: string;
  participantName: string;
  fromName: string;
  toName: string;
  /** the recipient's */
  timeZone: string;
  /** the directory page of the dashboard */
  pageUrl: string;
};

/** E-mails about the transfer of a directory entry, for the owners and admins of both merchants. */
export type TransferMailContent =
  | (About & { kind: "entry_transfer_offered"; expiresAt: Date })
  | (About & {
      kind: "entry_transfer_ended";
      outcome: "accepted" | "declined" | "cancelled" | "expired";
      at: Date;
    });
