import { checkVatNumbers } from "../../billing/tax-details/check-vat-numbers.ts";
import { newId } from "../../kernel/ids.ts";
import type { ScheduledJob } from "../job.ts";

/** Maximum number of VAT numbers per run. Each check takes at most 5 seconds. */
const limit = 200;

export const checkVatNumbersJob: ScheduledJob = {
  name: "check-vat-numbers",
  cron: "*/5 * * * *",
  expireInSeconds: 1_800,
  run: (deps) => checkVatNumbers(deps, { limit, requestId: newId("req") }),
};
