import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster, killOutright, listRole } from "../support/processes.ts";

const targets = ["web", "worker", "simulator", "postmaster", "postgres"] as const;
type Target = (typeof targets)[number];
export type Kills = Record<Target, number>;

const pidsOf = async (dataDirectory: string, target: Target): Promise<number[]> => {
  // Between a kill and the next start there may be no process to kill.
  if (target === "postmaster") return [await findPostmaster(dataDirectory).catch(() => 0)].filter((pid) => pid > 0);
  // The environment in which payments are made.
  return listRole(dataDirectory, target, target === "postgres" ? null : "sandbox");
};

/** Sends SIGKILL to processes at random instants until `isOver`, each kind in turn; `kills` counts them. */
export const killAtRandom = async (
  dataDirectory: string,
  input: { kills: Kills; longestPause: number; isOver: () => boolean },
): Promise<void> => {
  for (let turn = 0; ; ) {
    await sleep(Math.random() * input.longestPause);
    if (input.isOver()) return;
    const target = targets[turn % targets.length] ?? "web";
    const pids = await pidsOf(dataDirectory, target);
    const pid = pids[Math.floor(Math.random() * pids.length)];
    if (pid === undefined) continue;
    killOutright(pid);
    input.kills[target]++;
    turn++;
  }
};

export const noKills = (): Kills => ({ web: 0, worker: 0, simulator: 0, postmaster: 0, postgres: 0 });
