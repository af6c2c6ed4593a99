import { randomBytes } from "node:crypto";
import type { Sql } from "../../data/client.ts";
import {
  appendStatusChange,
  insertVersionAtFreeIndex,
  newestListNumber,
  openLists,
} from "../../data/credentials/status-lists.ts";
import type { Deps } from "../../deps/deps.ts";
import { statusListLength } from "../../kernel/status-list-length.ts";
import type { JsonObject } from "../../kernel/text/json.ts";

/**
 * A list opens its next when twice this many random indexes in a row are taken. That happens when it is about 78 % full:
 * no count is kept, no row is contended for, and one statement is nearly always enough.
 */
const candidatesPerDraw = 16;
const drawsPerList = 2;

/**
 * Writes a version of a mandate with a status index of its own: random, so that an index tells nothing of when or for
 * whom it was given, and never given again. Belongs in the transaction that writes the mandate, after it.
 * @param input `at`: of the version, in business time; its lists are of real time.
 */
export const allocateStatus = async (
  deps: Pick<Deps, "clock">,
  sql: Sql,
  input: { mandateId: string; version: number; details: JsonObject; at: Date },
): Promise<void> => {
  const listedAt = deps.clock.now();
  for (;;) {
    const listNumber = await newestListNumber(sql);
    for (let draw = 0; listNumber > 0 && draw < drawsPerList; draw++) {
      const inserted = await insertVersionAtFreeIndex(sql, {
        ...input,
        listedAt,
        listNumber,
        candidates: drawIndexes(),
      });
      if (!inserted) continue;
      if (inserted.isSuspended) await appendStatusChange(sql, listNumber, listedAt);
      return;
    }
    await openLists(sql, listNumber + 1, listedAt);
  }
};

/** The length is 2^17, so that seventeen random bits are an index without any bias. */
const drawIndexes = (): number[] => {
  const bytes = randomBytes(candidatesPerDraw * 4);
  return Array.from({ length: candidatesPerDraw }, (_, place) => bytes.readUInt32LE(place * 4) % statusListLength);
};
