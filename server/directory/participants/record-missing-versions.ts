import type { Db } from "../../data/client.ts";
import { findUnversionedParticipants } from "../../data/directory/participant-versions.ts";
import type { Participant } from "./participant.wire.ts";
import { recordVersion } from "./record-version.ts";

/**
 * Adds the first version of each participant that is older than the transparency log. Each participant has its own
 * transaction, so the next run continues an interrupted run.
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
