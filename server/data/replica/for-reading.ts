import { hasRecentWrite } from "../../kernel/requests/recent-write.ts";
import type { Db } from "../client.ts";

/**
 * The dependencies for the lists, charts, exports and searches of one request: `db` is a standby if it is fresh. After a
 * change in the same browser, it is the primary.
 */
export const forReading = <Given extends { db: Db; reads(): Db }>(deps: Given, cookieHeader: string | null): Given =>
  hasRecentWrite(cookieHeader) ? deps : { ...deps, db: deps.reads() };
