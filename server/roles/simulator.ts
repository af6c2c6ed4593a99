import path from "node:path";
import { readVariables } from "../platform/config.ts";
import { announceReady, onShutdown } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { ConfigError } from "../platform/settings/config-error.ts";
import { startSimulator } from "../processors/simulator/server/server.ts";
import { sendConsoleToLog } from "./console-to-log.ts";

/** The payment processor of the embedded default: a separate service with its own data. */
export const runSimulator = async (): Promise<void> => {
  const variables = readVariables(process.env);
  const log = createLog({ role: "simulator", environment: variables.PAYGRANT_ENVIRONMENT }, variables.LOG_LEVEL);
  sendConsoleToLog(log);
  if (!variables.SIMULATOR_KEY) throw new ConfigError(["SIMULATOR_KEY: missing (`npm start` sets it)"]);
  const ownPort = variables.PAYGRANT_ENVIRONMENT === "sandbox" ? variables.SANDBOX_PORT : variables.PORT;
  const simulator = await startSimulator({
    port: variables.SIMULATOR_PORT,
    dataDirectory: path.join(path.resolve(variables.DATA_DIR), "simulator"),
    key: variables.SIMULATOR_KEY,
    webhookUrl: `${variables.BASE_URL ?? `http://localhost:${ownPort}`}/processors/simulator/webhook`,
    log,
  });
  onShutdown(() => simulator.close(), log);
  announceReady();
};
