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
 * The number of random indexes per draw. If two draws find no free index, the next list is opened. A list is then about
 * 78% full. There is no counter and no contended row, and one statement is nearly always enough.
 */
const candidatesPerDraw = 16;
const drawsPerList = 2;

/**
 * Writes a version of a mandate with its own status index. The index is random, so that it doesn't reveal when or for
 * whom it was allocated, and is never reused. Call it after the mandate is written, in the same transaction.
 * @param input `at`: the version's business time; lists use real time.
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

/** The length is 2^17, so 17 random bits are an unbiased index. */
const drawIndexes = (): number[] => {
  const bytes = randomBytes(candidatesPerDraw * 4);
  return Array.from({ length: candidatesPerDraw }, (_, place) => bytes.readUInt32LE(place * 4) % statusListLength);
};
