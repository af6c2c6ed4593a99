import { readFile } from "node:fs/promises";
import path from "node:path";
import { connectDatabase } from "#server/data/client.ts";
import { createSealer } from "#server/kernel/crypto/seal.ts";
import { systemClock } from "#server/kernel/time/clock.ts";
import { loadKeyRing } from "#server/oauth/keys/load-key-ring.ts";
import { readVariables, toConfig } from "#server/platform/config.ts";
import { currentInstance, databaseUrlOf, type EnvironmentName } from "../instance.ts";
import { attest } from "./software-statement.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };

/** A software statement as the directory of one environment signs it for a participant with the domain `verified.example`. */
export const makeSoftwareStatement = async (
  environment: EnvironmentName,
  metadata: Record<string, unknown>,
): Promise<string> => {
  const { dataDirectory, sandboxUrl, productionUrl } = currentInstance();
  const secrets = JSON.parse(await readFile(path.join(dataDirectory, "secrets.json"), "utf8"));
  const db = connectDatabase(databaseUrlOf(environment), 2);
  const sealer = createSealer(Buffer.from(secrets[environment].masterKey, "base64url"), "secrets");
  const config = toConfig(
    readVariables({
      DATABASE_URL: databaseUrlOf(environment),
      MASTER_KEY: secrets[environment].masterKey,
      BASE_URL: environment === "sandbox" ? sandboxUrl : productionUrl,
      PAYGRANT_ENVIRONMENT: environment,
    }),
  );
  const keys = await loadKeyRing({ db, sealer, clock: systemClock, config, log: silent });
  try {
    return await attest({ config, clock: systemClock, db, keys }, metadata);
  } finally {
    keys.stop();
    await db.close();
  }
};
