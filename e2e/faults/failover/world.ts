import { describeInstance } from "#server/cli/checks/test-instance.ts";
import { type HaInstallation, startHa } from "#server/cli/ha/start-ha.ts";
import { connectDatabase, type Db } from "#server/data/client.ts";
import { databaseUrlOf } from "../../support/instance.ts";
import { type Merchant, type Party, registerAgent, registerMerchant } from "../../support/oauth/parties.ts";
import type { WebhookReceiver } from "../../support/peers/webhook-receiver.ts";

/** An installation for the drill, and the parties that all its rounds share. */
export type World = {
  installation: HaInstallation;
  /** the sandbox's database on the current primary, for PostgreSQL's superuser */
  db: Db;
  /** the same for production's database */
  production: Db;
  baseUrl: string;
  statusUrl: string;
  merchants: readonly [Merchant, Merchant];
  /** asks the demo payer for consents */
  agent: Party;
  /** one for each round; all stay open, because an earlier round's agents may get events later */
  receivers: WebhookReceiver[];
  stop(): Promise<void>;
};

const settings = {
  OUTBOUND_LOOPBACK: "1",
  LOG_LEVEL: "error",
  // One client requests 100 tokens a second, which is its limit.
  RATE_LIMITS: "registration.address=off,signed.client=off",
  // With the usual 30 s, most gaps would lie between two probes.
  STATUS_PROBE_SECONDS: "1",
};

/**
 * @param hasDisks gives each database node a separate disk, if this process may mount one
 * @throws StartError
 */
export const openWorld = async ({ hasDisks }: { hasDisks: boolean }): Promise<World> => {
  const installation = await startHa(settings, { hasDisks });
  try {
    const { environment, dataDirectory } = installation;
    const variables = await describeInstance({ environment, dataDirectory });
    Object.assign(process.env, variables);
    const db = connectDatabase(databaseUrlOf("sandbox"), 2);
    const production = connectDatabase(databaseUrlOf("production"), 1);
    const baseUrl = environment["SANDBOX_URL"] ?? "";
    const receivers: WebhookReceiver[] = [];
    const end = async () => {
      for (const receiver of receivers) receiver.close();
      await Promise.all([db.close(), production.close()]);
      await installation.stop();
    };
    // An interrupted drill stops the installation twice. Both callers must wait until its data is deleted.
    let ending: Promise<void> | null = null;
    const stop = () => {
      ending ??= end();
      return ending;
    };
    return {
      installation,
      db,
      production,
      baseUrl,
      statusUrl: variables["E2E_STATUS_URL"] ?? "",
      merchants: [await registerMerchant(baseUrl), await registerMerchant(baseUrl)],
      agent: await registerAgent(baseUrl),
      receivers,
      stop,
    };
  } catch (error) {
    await installation.stop();
    throw error;
  }
};
