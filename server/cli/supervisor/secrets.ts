import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const secret = z.string().min(22);
const environmentSecrets = z.object({ masterKey: secret, databasePassword: secret, simulatorKey: secret });
const schema = z.object({ postgresPassword: secret, production: environmentSecrets, sandbox: environmentSecrets });

/** The secrets that `npm start` creates. A configured master key or database URL is used instead of the created one. */
export type Secrets = z.output<typeof schema>;

const newSecret = () => randomBytes(32).toString("base64url");
const newEnvironmentSecrets = () => ({
  masterKey: newSecret(),
  databasePassword: newSecret(),
  simulatorKey: newSecret(),
});

/**
 * Reads DATA_DIR/secrets.json, or creates it (mode 0600). The file is written under a temporary name and renamed, so
 * that it is always complete.
 */
export const readOrCreateSecrets = async (dataDirectory: string): Promise<Secrets> => {
  const file = path.join(dataDirectory, "secrets.json");
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text !== null) return schema.parse(JSON.parse(text));
  const secrets: Secrets = {
    postgresPassword: newSecret(),
    production: newEnvironmentSecrets(),
    sandbox: newEnvironmentSecrets(),
  };
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const draft = await open(`${file}.new`, "w", 0o600);
  try {
    await draft.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.new`, file);
  return secrets;
};
