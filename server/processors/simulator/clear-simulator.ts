import type { Config } from "../../deps/config.ts";

const timeoutMilliseconds = 10_000;

/**
 * Deletes the simulator's records when the sandbox is reset.
 * @throws Error if the simulator can't be reached, or answers with an error.
 */
export const clearSimulator = async ({
  simulatorUrl,
  simulatorKey,
}: Pick<Config, "simulatorUrl" | "simulatorKey">): Promise<void> => {
  if (simulatorUrl === null || simulatorKey === null) return;
  const answer = await fetch(`${simulatorUrl}/control/books`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${simulatorKey}` },
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (!answer.ok) throw new Error(`the simulator could not be emptied: ${answer.status}`);
};
