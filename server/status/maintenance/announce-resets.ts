import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { isResetMaintenance, resetMaintenanceId } from "../rules/maintenance/reset-maintenance.ts";
import { cancelMaintenance } from "./cancel-maintenance.ts";
import { listMaintenances } from "./list-maintenances.ts";
import { scheduleMaintenance } from "./schedule-maintenance.ts";

const actor = { kind: "system", id: "announce-resets" } as const;
/** How many of the latest windows are read. They include the next resets and their canceled announcements. */
const knownWindows = 100;

/** A canceled maintenance window can't be announced again, so a reset that is scheduled again gets another id. */
const nextId = (id: string): string => {
  const [first = "", count = "1"] = id.split("_again");
  return `${first}_again${Number(count) + 1}`;
};

const firstIdOf = (id: string): string => id.split("_again")[0] ?? id;

/**
 * Announces the sandbox's resets as maintenance, each once, and cancels announcements of resets that won't happen. The
 * sandbox itself does the resets. @param at when each reset begins; it ends within `seconds`.
 * @returns how many were announced and canceled.
 */
export const announceResets = async (
  deps: Pick<Deps, "db" | "clock">,
  { at, seconds }: { at: readonly Date[]; seconds: number },
): Promise<{ announced: number; cancelled: number }> => {
  const wanted = new Set(at.map(resetMaintenanceId));
  let [announced, cancelled] = [0, 0];
  const { maintenances: known } = await listMaintenances(deps, { limit: knownWindows });
  for (const { id, state, scheduledFrom } of known) {
    const isStale = isResetMaintenance(id) && state === "scheduled" && !wanted.has(firstIdOf(id));
    if (!isStale || scheduledFrom <= deps.clock.now()) continue;
    const text = "The schedule of the reset has changed.";
    const input = { maintenanceId: id, updateId: newId("upd"), text, actor, requestId: "-" };
    const { isNew } = await cancelMaintenance(deps, input).catch(ignoreStarted);
    if (isNew) cancelled += 1;
  }
  const cancelledHere = new Set(
    known.flatMap(({ id, state, updates }) =>
      state === "cancelled" && updates.at(-1)?.actor === actor.id ? [id] : [],
    ),
  );
  for (const from of at) {
    let maintenanceId = resetMaintenanceId(from);
    while (cancelledHere.has(maintenanceId)) maintenanceId = nextId(maintenanceId);
    const { isNew } = await scheduleMaintenance(deps, {
      maintenanceId,
      updateId: newId("upd"),
      actor,
      requestId: "-",
      title: "Weekly reset of the sandbox",
      components: ["sandbox"],
      from,
      to: addSeconds(from, seconds),
      text: "All data in the sandbox is deleted, including accounts. The sandbox gets new keys, and everything that it issued before becomes invalid. Production is not affected.",
    });
    if (isNew) announced += 1;
  }
  return { announced, cancelled };
};

/** A maintenance window that has just started can't be canceled any more. This error is ignored. */
const ignoreStarted = (error: unknown): { isNew: boolean } => {
  if (isDomainError(error) && error.kind === "conflict") return { isNew: false };
  throw error;
};
