import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connectAlone } from "../connect.ts";

/** A database and the role that owns it. Only this role may connect to it. */
export type Tenant = { database: string; role: string; password: string };

const timeouts = { connection: 2_000, statement: 60_000 };

/** Waits for a server that is starting. @throws the last connection error after `waitSeconds`. */
const connectWhenReady = async (databaseUrl: string, waitSeconds: number): Promise<pg.Client> => {
  const deadline = performance.now() + waitSeconds * 1000;
  for (;;) {
    try {
      return await connectAlone(databaseUrl, timeouts);
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await sleep(50);
    }
  }
};

/**
 * Creates missing roles and databases. Each role can access only its own database (docs/spec/operations.md, Environment
 * variables).
 */
export const provisionDatabases = async (
  adminUrl: string,
  tenants: readonly Tenant[],
  waitSeconds: number,
): Promise<void> => {
  const client = await connectWhenReady(adminUrl, waitSeconds);
  const name = (text: string) => client.escapeIdentifier(text);
  try {
    await client.query("REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC");
    for (const { database, role, password } of tenants) {
      const roles = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
      const verb = roles.rowCount ? "ALTER" : "CREATE";
      await client.query(
        `${verb} ROLE ${name(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
      );
      const databases = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
      if (!databases.rowCount) await client.query(`CREATE DATABASE ${name(database)} OWNER ${name(role)}`);
      await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${name(database)} FROM PUBLIC`);
    }
  } finally {
    await client.end();
  }
};
