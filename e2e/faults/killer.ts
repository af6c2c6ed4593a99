import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster, killOutright, listRole, type Role } from "../support/processes.ts";

const targets = ["web", "worker", "simulator", "postmaster", "postgres"] as const;
type Target = (typeof targets)[number];

const pidsOf = async (dataDirectory: string, target: Target): Promise<number[]> => {
  // Between its death and its next start there may be nobody to kill.
  if (target === "postmaster") return [await findPostmaster(dataDirectory).catch(() => 0)].filter((pid) => pid > 0);
  const role: Role = target;
  return listRole(dataDirectory, role);
};

/** Sends SIGKILL to processes at random instants until `until`, each kind in turn. @returns how often each was killed. */
export const killAtRandom = async (
  dataDirectory: string,
  until: number,
  longestPause: number,
): Promise<Record<Target, number>> => {
  const kills: Record<Target, number> = { web: 0, worker: 0, simulator: 0, postmaster: 0, postgres: 0 };
  for (let turn = 0; ; turn++) {
    await sleep(Math.random() * longestPause);
    if (Date.now() >= until) return kills;
    const target = targets[turn % targets.length] ?? "web";
    const pids = await pidsOf(dataDirectory, target);
    const pid = pids[Math.floor(Math.random() * pids.length)];
    if (pid === undefined) continue;
    killOutright(pid);
    kills[target]++;
  }
};
