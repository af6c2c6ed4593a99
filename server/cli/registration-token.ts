import { findMerchants } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { createInitialAccessToken } from "../oauth/initial-tokens/create-initial-access-token.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { readRegistrationTokenArguments, usage } from "./arguments/registration-token-arguments.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const help = `${usage}\nwithout --merchant and --kind: lists the merchants`;
answerHelp(help);

const readArguments = () => {
  try {
    return readRegistrationTokenArguments(process.argv.slice(2), new Date());
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${problem}\n${help}\n`);
    return process.exit(1);
  }
};

const newToken = readArguments();

await enterService("production");

const listed = async (deps: Deps): Promise<string> => {
  const merchants = await findMerchants(deps.db, 50);
  return [usage, "", ...merchants.map(({ id, displayName }) => `${id}  ${displayName}`)].join("\n");
};

await withDeps(async (deps) => {
  if (newToken === null) return listed(deps);
  const { token, expiresAt } = await createInitialAccessToken(deps, {
    ...newToken,
    actor: { kind: "operator", id: "command-line" },
    requestId: newId("req"),
  });
  const { uses } = newToken;
  process.stderr.write(
    `for ${uses} registration${uses === 1 ? "" : "s"} at ${deps.config.baseUrl}/oauth/register, until ${expiresAt.toISOString()}:\n`,
  );
  return token;
});
