import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { isResetMaintenance, resetMaintenanceId } from "../rules/maintenance/reset-maintenance.ts";
import { cancelMaintenance } from "./cancel-maintenance.ts";
import { listMaintenances } from "./list-maintenances.ts";
import { scheduleMaintenance } from "./schedule-maintenance.ts";

const actor = { kind: "system", id: "announce-resets" } as const;
/** Of one that was taken back here and is to come after all: what is cancelled stays so. */
const next = (id: string): string => {
  const [first = "", count = "1"] = id.split("_again");
  return `${first}_again${Number(count) + 1}`;
};
const instantOf = (id: string): string => id.split("_again")[0] ?? id;

/**
 * Announces the sandbox's resets as maintenance, each once, and takes back those announced before that are not to come any
 * more. Doing them is the sandbox's own business. @param at when each begins, and `seconds` by when it is over.
 * @returns how many were announced, and taken back.
 */
export const announceResets = async (
  deps: Pick<Deps, "db" | "clock">,
  { at, seconds }: { at: readonly Date[]; seconds: number },
): Promise<{ announced: number; cancelled: number }> => {
  const wanted = new Set(at.map(resetMaintenanceId));
  let [announced, cancelled] = [0, 0];
  const known = await listMaintenances(deps);
  for (const { id, state, scheduledFrom } of known) {
    const isStale = isResetMaintenance(id) && state === "scheduled" && !wanted.has(instantOf(id));
    if (!isStale || scheduledFrom <= deps.clock.now()) continue;
    const told = { maintenanceId: id, updateId: newId("upd"), actor, requestId: "-" };
    const text = "The sandbox is reset at another time.";
    const { isNew } = await cancelMaintenance(deps, { ...told, text }).catch(unlessBegun);
    if (isNew) cancelled += 1;
  }
  const takenBack = new Set(
    known.flatMap(({ id, state, updates }) =>
      state === "cancelled" && updates.at(-1)?.actor === actor.id ? [id] : [],
    ),
  );
  for (const from of at) {
    let maintenanceId = resetMaintenanceId(from);
    while (takenBack.has(maintenanceId)) maintenanceId = next(maintenanceId);
    const { isNew } = await scheduleMaintenance(deps, {
      maintenanceId,
      updateId: newId("upd"),
      actor,
      requestId: "-",
      title: "Weekly reset of the sandbox",
      components: ["sandbox"],
      from,
      to: addSeconds(from, seconds),
      text: "All data of the sandbox is replaced by the demo's, its keys are new, and everything that it issued before is invalid. Production is not touched.",
    });
    if (isNew) announced += 1;
  }
  return { announced, cancelled };
};

/** It began in this moment. */
const unlessBegun = (error: unknown): { isNew: boolean } => {
  if (isDomainError(error) && error.kind === "conflict") return { isNew: false };
  throw error;
};
