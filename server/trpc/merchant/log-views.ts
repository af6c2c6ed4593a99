import type { FoundApiLog, ListedApiLog } from "../../data/merchants/api-logs.ts";

/** Plain JSON for the pages, with times as RFC 3339 texts. */
export const toApiLog = ({ at, ...log }: ListedApiLog) => ({ ...log, at: at.toISOString() });

export const toApiLogDetail = ({ at, merchantId: _, ...log }: FoundApiLog) => ({
  ...log,
  at: at.toISOString(),
});

export type ApiLogLine = ReturnType<typeof toApiLog>;
