import { deleteDueAccount } from "../../privacy/delete-due-account.ts";
import type { Tick } from "../job.ts";

export const deleteAccountsTick: Tick = {
  name: "delete-accounts",
  intervalMilliseconds: 60_000,
  async run(deps) {
    const hasDeleted = await deleteDueAccount(deps);
    return { done: hasDeleted ? 1 : 0, hasMore: hasDeleted };
  },
};
