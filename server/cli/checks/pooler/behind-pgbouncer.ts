import { readFile } from "node:fs/promises";
import path from "node:path";
import { onServer, startPostgres } from "../../../../e2e/support/test-database.ts";
import { provisionDatabases, type Tenant } from "../../../data/schema/provision.ts";
import type { EnvironmentName } from "../../supervisor/environments.ts";
import { readOrCreateSecrets, type Secrets } from "../../supervisor/secrets.ts";
import { describeInstance, sharedServiceSettings, startTestInstance, testEnvironment } from "../test-instance.ts";
import { type PoolMode, startPgbouncer } from "./pgbouncer.ts";

const guide = path.resolve(import.meta.dirname, "../../../../docs/runbooks/several-web-nodes.md");

const tenantOf = (name: EnvironmentName, secrets: Secrets): Tenant => ({
  database: `paygrant_${name}`,
  role: `paygrant_${name}`,
  password: secrets[name].databasePassword,
});

const urlOf = (serverUrl: string, { database, role, password }: Tenant): string =>
  Object.assign(new URL(serverUrl), { username: role, password, pathname: database }).href;

/** The statements of the guide that store settings in a role. @throws Error if the guide has none. */
const roleSettings = async (role: string): Promise<string> => {
  const statements = (await readFile(guide, "utf8")).match(/^ALTER ROLE paygrant SET .*;$/gm);
  if (!statements) throw new Error(`${guide} has no ALTER ROLE`);
  return statements.join("\n").replaceAll("ROLE paygrant ", `ROLE ${role} `);
};

export type PooledInstance = { variables: Readonly<Record<string, string>>; stop(): Promise<void> };

/**
 * Starts the whole service as docs/runbooks/several-web-nodes.md describes it for a connection pooler: all processes
 * connect through PgBouncer, and migrations use DATABASE_DIRECT_URL.
 */
export const startBehindPgbouncer = async (mode: PoolMode, stopped?: AbortSignal): Promise<PooledInstance> => {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.adopt(await startPostgres(), (server) => server.stop());
  const unpooled = await testEnvironment({ ...sharedServiceSettings, PAYGRANT_EMBEDDED: "1", SEED_DEMO: "1" });
  const secrets = await readOrCreateSecrets(unpooled["DATA_DIR"] ?? "");
  const tenants = { production: tenantOf("production", secrets), sandbox: tenantOf("sandbox", secrets) };
  const roles = Object.values(tenants);
  await provisionDatabases(postgres.url, roles, 30);
  for (const { role } of roles) await onServer(postgres.url, await roleSettings(role));
  const pooler = opened.adopt(await startPgbouncer({ serverUrl: postgres.url, mode, roles }), ({ stop }) => stop());
  const [production, sandbox] = [urlOf(postgres.url, tenants.production), urlOf(postgres.url, tenants.sandbox)];
  const environment = {
    ...unpooled,
    DATABASE_URL: pooler.through(production),
    DATABASE_DIRECT_URL: production,
    MASTER_KEY: secrets.production.masterKey,
    SANDBOX_DATABASE_URL: pooler.through(sandbox),
    SANDBOX_DATABASE_DIRECT_URL: sandbox,
    SANDBOX_MASTER_KEY: secrets.sandbox.masterKey,
    DATABASE_SETTINGS: "role",
    DATABASE_STATEMENTS: mode === "transaction" ? "unnamed" : "named",
  };
  const instance = opened.adopt(await startTestInstance(environment, stopped), async (service) => {
    await service.stop();
    await service.remove();
  });
  const variables = { ...(await describeInstance(instance)), TEST_DATABASE_URL: postgres.url };
  const kept = opened.move();
  return { variables, stop: () => kept.disposeAsync() };
};
