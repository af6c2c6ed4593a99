import { readFile } from "node:fs/promises";
import path from "node:path";
import { readVariables, type Variables } from "../../platform/config.ts";
import { type EnvironmentName, productionService, sandboxService } from "../supervisor/environments.ts";
import { readOrCreateSecrets, type Secrets } from "../supervisor/secrets.ts";

const refuse = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** The settings of a command, which are production's. Ends the process if they are the sandbox's own. */
export const readCommandVariables = (): Variables => {
  const variables = readVariables(process.env);
  if (variables.PAYGRANT_ENVIRONMENT === "production") return variables;
  return refuse(
    "PAYGRANT_ENVIRONMENT=sandbox: use production's settings, with SANDBOX_DATABASE_URL and SANDBOX_MASTER_KEY",
  );
};

/**
 * Reads the secrets that `npm start` created. With the embedded database, ends the process if no service has been
 * started yet.
 */
export const readStartedSecrets = async (variables: Variables): Promise<Secrets> => {
  const dataDirectory = path.resolve(variables.DATA_DIR);
  if (!variables.DATABASE_URL) {
    await readFile(path.join(dataDirectory, "secrets.json")).catch(() =>
      refuse(`${variables.DATA_DIR} is empty: run \`npm start\` first, and leave it running`),
    );
  }
  return readOrCreateSecrets(dataDirectory);
};

/**
 * Sets this process's environment to the environment of one service. With the embedded database, this includes the
 * database's address and the key that `npm start` created. Ends the process if no service was started yet, if there is
 * no sandbox, or if the settings are the sandbox's own.
 */
export const enterService = async (name: EnvironmentName): Promise<void> => {
  const variables = readCommandVariables();
  if (variables.DATABASE_URL && name === "production") return;
  const input = { outer: process.env, variables, secrets: await readStartedSecrets(variables) };
  const production = productionService(input);
  const service = name === "production" ? production : sandboxService(input, production);
  if (!service) return refuse("there is no sandbox: SANDBOX_DATABASE_URL is not set");
  Object.assign(process.env, service.variables);
};
