import { parseArgs } from "node:util";
import { listMerchants } from "../data/merchants.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../kernel/ids.ts";
import { createInitialAccessToken } from "../oauth/create-initial-access-token.ts";
import { enterService } from "./started-service.ts";
import { withDeps } from "./with-deps.ts";

const usage = "npm run registration-token -- --merchant mch_… | --agent   [--uses 1] [--hours 24]";

const refuse = (): never => {
  process.stderr.write(`${usage}\nwithout any of them: lists the merchants\n`);
  process.exit(1);
};

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        merchant: { type: "string" },
        agent: { type: "boolean", default: false },
        uses: { type: "string", default: "1" },
        hours: { type: "string", default: "24" },
      },
    }).values;
  } catch {
    return refuse();
  }
};

const values = readArguments();
const [uses, hours] = [Number(values.uses), Number(values.hours)];
const isWhole = (value: number) => Number.isInteger(value) && value > 0;
if ((values.merchant !== undefined && values.agent) || !isWhole(uses) || !isWhole(hours)) refuse();

await enterService("production");

const listed = async (deps: Deps): Promise<string> => {
  const merchants = await listMerchants(deps.db, 50);
  return [usage, "", ...merchants.map(({ id, displayName }) => `${id}  ${displayName}`)].join("\n");
};

await withDeps(async (deps) => {
  if (values.merchant === undefined && !values.agent) return listed(deps);
  const { token, expiresAt } = await createInitialAccessToken(deps, {
    kind: values.merchant === undefined ? "agent" : "merchant",
    merchantId: values.merchant ?? null,
    uses,
    ttlSeconds: hours * 3600,
    actor: { kind: "operator", id: "command-line" },
    requestId: newId("req"),
  });
  process.stderr.write(
    `for ${uses} registration${uses === 1 ? "" : "s"} at ${deps.config.baseUrl}/oauth/register, until ${expiresAt.toISOString()}:\n`,
  );
  return token;
});
