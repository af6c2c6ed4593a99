/** @param keepsMail the server keeps e-mail in the operators' outbox instead of sending it */
export const invitedText = (email: string, keepsMail: boolean): string =>
  keepsMail
    ? `Invited ${email}. This server doesn’t send e-mail. An admin of Paygrant can copy the link from the outbox.`
    : `Invitation sent to ${email}.`;
