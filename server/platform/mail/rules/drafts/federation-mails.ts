import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

/** An e-mail about the federation entity of an entry. */
export const draftFederationMail = (content: ContentOf<"federation_keys_changed" | "federation_left">): Draft =>
  content.kind === "federation_left" ? draftLeftMail(content) : draftKeysMail(content);

/** An e-mail about new keys that the hourly check accepted, because a known key signed them. */
const draftKeysMail = (content: ContentOf<"federation_keys_changed">): Draft => {
  const { participantName, entityId, keyCount, at, timeZone, entryUrl } = content;
  return {
    subject: `The federation keys of ${oneLine(participantName)} changed`,
    blocks: [
      "The directory fetches the configuration of your federation entity every hour. The configuration now has other keys, and one of the earlier keys signed it. The directory has accepted the new keys.",
      {
        facts: [
          ["Entry", oneLine(participantName)],
          ["Entity", oneLine(entityId)],
          ["Number of keys", String(keyCount)],
          ["Found", formatEnglishMailTime(at, timeZone)],
        ],
      },
      "If you changed the keys, you don’t need to do anything. If not, remove the entity in the merchant dashboard, under Directory, or with the directory’s API, and check who has your federation keys.",
      { button: { label: "See the entry", href: entryUrl } },
    ],
  };
};

/** An e-mail about an entity that is no longer a subordinate, because its configuration could not be verified again. */
const draftLeftMail = (content: ContentOf<"federation_left">): Draft => {
  const { participantName, entityId, problem, at, timeZone, entryUrl } = content;
  return {
    subject: `The federation entity of ${oneLine(participantName)} left the federation`,
    blocks: [
      "The directory fetches the configuration of your federation entity every hour. The last verified configuration has expired, or no fetch has succeeded for 72 hours. So the entity is no longer a subordinate of the directory.",
      {
        facts: [
          ["Entry", oneLine(participantName)],
          ["Entity", oneLine(entityId)],
          ["Problem", oneLine(problem)],
          ["Since", formatEnglishMailTime(at, timeZone)],
        ],
      },
      "Correct the configuration. The next fetch finds it, and the entity is a subordinate again. If all its keys are new, register the entity again in the merchant dashboard, under Directory, or with the directory’s API.",
      { button: { label: "See the entry", href: entryUrl } },
    ],
  };
};
