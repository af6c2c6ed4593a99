import { type Sql, statement } from "../client.ts";

const assign = statement<never>(
  "assign_mail_of_former_address",
  "UPDATE mail SET former_recipient_id = $1 WHERE recipient = $2 AND former_recipient_id IS NULL",
);

/**
 * Assigns the e-mails to an address to the account that gives it up, because another account can take the address
 * afterwards. Call it in the transaction that changes the address. E-mails to an earlier account with this address are
 * already assigned.
 */
export const assignMailOfFormerAddress = async (
  sql: Sql,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> => {
  await sql.query(assign, [accountId, email]);
};
