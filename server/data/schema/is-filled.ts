import { connectAlone } from "../connect.ts";

const hasData = `SELECT EXISTS (SELECT FROM account WHERE NOT is_probe) OR EXISTS (SELECT FROM client WHERE NOT is_probe)
  OR EXISTS (SELECT FROM merchant WHERE NOT is_probe) AS "isFilled"`;

const statementMilliseconds = 30_000;

/**
 * Whether a database contains user data; data of the status page's probes doesn't count. Uses only the driver: this
 * function runs at each start, and most callers use no other part of the data layer.
 */
export const isFilled = async (databaseUrl: string): Promise<boolean> => {
  const client = await connectAlone(databaseUrl, { statement: statementMilliseconds });
  try {
    return (await client.query<{ isFilled: boolean }>(hasData)).rows[0]?.isFilled ?? true;
  } finally {
    await client.end();
  }
};
