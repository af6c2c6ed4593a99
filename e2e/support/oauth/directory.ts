import { readFile } from "node:fs/promises";
import path from "node:path";
import { connectDatabase } from "#server/data/client.ts";
import { enrolMerchant } from "#server/directory/participants/enrol-participant.ts";
import { createSealer } from "#server/kernel/crypto/seal.ts";
import { systemClock } from "#server/kernel/time/clock.ts";
import { loadKeyRing } from "#server/oauth/keys/load-key-ring.ts";
import { readVariables, toConfig } from "#server/platform/config.ts";
import { currentInstance, databaseUrlOf, type EnvironmentName } from "../instance.ts";
import { addVerifiedDomain, attest, type StatementDeps } from "./software-statement.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };

/** Acts as the directory of one environment. */
const asDirectory = async <T>(environment: EnvironmentName, work: (deps: StatementDeps) => Promise<T>): Promise<T> => {
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
    return await work({ config, clock: systemClock, db, keys });
  } finally {
    keys.stop();
    await db.close();
  }
};

/**
 * A software statement as the directory of one environment signs it for a participant with the domain
 * `verified.example`.
 */
export const makeSoftwareStatement = (
  environment: EnvironmentName,
  metadata: Record<string, unknown>,
): Promise<string> => asDirectory(environment, (deps) => attest(deps, metadata));

/** Enters a merchant of the sandbox in the directory, with a verified domain. */
export const verifyMerchant = (merchantId: string, domain: string): Promise<void> =>
  asDirectory("sandbox", async (deps) => {
    const entered = { merchantId, changedBy: "system", environment: "sandbox", at: deps.clock.now() } as const;
    await deps.db.sqlTransaction((sql) => enrolMerchant(sql, entered));
    const { id } = await deps.db.prisma.participant.findUniqueOrThrow({ where: { merchantId } });
    await addVerifiedDomain(deps, { participantId: id, domain });
  });
