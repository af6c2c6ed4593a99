import { type Sql, statement } from "../client.ts";

const assign = statement<never>(
  "assign_mail_of_former_address",
  "UPDATE mail SET former_recipient_id = $1 WHERE recipient = $2 AND former_recipient_id IS NULL",
);

/**
 * Notes whose address it was on the e-mails to an address that an account gives up, because another account can take
 * the address afterwards. Call it in the transaction that changes the address. E-mails of an earlier account with this
 * address have a note already.
 */
export const assignMailOfFormerAddress = async (
  sql: Sql,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> => {
  await sql.query(assign, [accountId, email]);
};
