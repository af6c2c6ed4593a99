import { connectAlone } from "../connect.ts";

const holdsData = `SELECT EXISTS (SELECT FROM account WHERE NOT is_probe) OR EXISTS (SELECT FROM client WHERE NOT is_probe)
  OR EXISTS (SELECT FROM merchant WHERE NOT is_probe) AS "isFilled"`;

const statementMilliseconds = 30_000;

/**
 * Whether anybody's data is in a database; the status page's trials are nobody's. By the driver alone: it is asked at each
 * start, and most need no more than the answer.
 */
export const isFilled = async (databaseUrl: string): Promise<boolean> => {
  const client = await connectAlone(databaseUrl, { statement: statementMilliseconds });
  try {
    return (await client.query<{ isFilled: boolean }>(holdsData)).rows[0]?.isFilled ?? true;
  } finally {
    await client.end();
  }
};
