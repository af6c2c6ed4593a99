import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import {
  describeInstance,
  sharedServiceSettings,
  startTestInstance,
  testEnvironment,
} from "#server/cli/checks/test-instance.ts";

export type EnvironmentName = "production" | "sandbox";

/**
 * The running service that the tests send requests to. `npm test` or the globalSetup below sets its E2E_… variables.
 */
export type Instance = {
  productionUrl: string;
  sandboxUrl: string;
  dataDirectory: string;
};

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`npm test\` or \`npx vitest --project http\``);
  return value;
};

export const currentInstance = (): Instance => ({
  productionUrl: setting("E2E_PRODUCTION_URL"),
  sandboxUrl: setting("E2E_SANDBOX_URL"),
  dataDirectory: setting("E2E_DATA_DIR"),
});

/** Whether a proxy forwards the requests. The proxy refuses invalid addresses itself. */
export const isBehindProxy = process.env["E2E_BEHIND_PROXY"] === "1";

/** The URL of one environment's database, for PostgreSQL's superuser. It lets tests read what a request wrote. */
export const databaseUrlOf = (environment: EnvironmentName): string =>
  Object.assign(new URL(setting("TEST_DATABASE_URL")), { pathname: `paygrant_${environment}` }).toString();

/** Each process keeps its connections, because opening one takes longer than most queries. */
const pools = new Map<string, pg.Pool>();

const poolOf = (url: string): pg.Pool => {
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  // Without a listener, a service that stops would end this process.
  pool.on("error", () => {});
  pools.set(url, pool);
  return pool;
};

/** Runs queries on one connection to the database of an environment. If they fail, the connection is closed. */
export const query = async <T>(
  work: (client: pg.PoolClient) => Promise<T>,
  environment: EnvironmentName = "sandbox",
): Promise<T> => {
  const client = await poolOf(databaseUrlOf(environment)).connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/** The address of one environment's simulator, and its key. */
export const simulatorOf = async (environment: EnvironmentName): Promise<{ url: string; key: string }> => {
  const secrets = JSON.parse(await readFile(path.join(setting("E2E_DATA_DIR"), "secrets.json"), "utf8"));
  const url = setting(environment === "production" ? "E2E_SIMULATOR_URL" : "E2E_SANDBOX_SIMULATOR_URL");
  return { url, key: secrets[environment].simulatorKey };
};

/** Vitest's globalSetup: starts one service with two web processes for all files, unless E2E_… already names one. */
export default async (_project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (process.env["E2E_SANDBOX_URL"]) return undefined;
  const instance = await startTestInstance(await testEnvironment(sharedServiceSettings));
  Object.assign(process.env, await describeInstance(instance));
  return async () => {
    await instance.stop();
    await instance.remove();
  };
};
