/** @param keepsMail the server keeps e-mail in the operators' outbox instead of sending it */
export const invitedText = (email: string, keepsMail: boolean): string =>
  keepsMail
    ? `Invited ${email}. This server doesn’t send e-mail: an admin can pass on the link from the operators’ outbox.`
    : `Invitation sent to ${email}.`;
