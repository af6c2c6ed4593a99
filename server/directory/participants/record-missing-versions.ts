import type { Db } from "../../data/client.ts";
import { findUnversionedParticipants } from "../../data/directory/participant-versions.ts";
import type { Participant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

/**
 * Gives each participant from before the transparency log its first version. Each participant has a transaction of its
 * own, so an interrupted run is resumed by the next one.
 */
export const recordMissingVersions = async (
  db: Db,
  { environment, at }: { environment: Participant["environment"]; at: Date },
): Promise<void> => {
  for (let ids = await findUnversionedParticipants(db.sql); ids.length > 0; ) {
    for (const id of ids) {
      await db.sqlTransaction((sql) =>
        recordVersion(sql, { id, change: "registered", changedBy: "system", at, environment }),
      );
    }
    ids = await findUnversionedParticipants(db.sql);
  }
};
