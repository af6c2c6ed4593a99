import { findDataExportContent } from "../data/privacy/data-exports.ts";
import type { Deps } from "../deps/deps.ts";
import { readExportContent } from "./export-content.ts";

/** @returns the JSON document; null if the account has no such export, it isn't ready, or it has expired. */
export const findDataExport = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { id, accountId }: { id: string; accountId: string },
): Promise<Buffer | null> => {
  const content = await findDataExportContent(deps.db, { id, accountId, now: deps.clock.now() });
  return content && readExportContent(deps, { id, content });
};
