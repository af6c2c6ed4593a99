import { prepareDataExport } from "../../privacy/prepare-data-export.ts";
import type { Tick } from "../job.ts";

/** Runs often, because payers wait for an export, which is promised within a minute. */
export const prepareDataExportsTick: Tick = {
  name: "prepare-data-exports",
  intervalMilliseconds: 5_000,
  isDue: ({ dataExports }) => dataExports,
  async run(deps) {
    const hasPrepared = await prepareDataExport(deps);
    return { done: hasPrepared ? 1 : 0, hasMore: hasPrepared };
  },
};
