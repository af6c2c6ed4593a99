import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatEnglishMailTime } from "../mail-dates.ts";

/** An e-mail about an entry in the directory. */
export const draftDirectoryMail = (
  content: ContentOf<"domain_check_failed" | "domain_unverified" | "metadata_changed">,
): Draft => (content.kind === "metadata_changed" ? draftMetadataMail(content) : draftDomainMail(content));

/** An e-mail about a verified domain whose proof is missing. */
const draftDomainMail = (content: ContentOf<"domain_check_failed" | "domain_unverified">): Draft => {
  const { domain, participantName, url, record, provedAt, timeZone, entryUrl } = content;
  const isEnded = content.kind === "domain_unverified";
  const time = isEnded ? content.at : content.unverifiedFrom;
  return {
    subject: isEnded ? `${oneLine(domain)} is no longer verified` : `We can’t verify ${oneLine(domain)} at the moment`,
    blocks: [
      isEnded
        ? "Several daily checks in a row found no proof that this domain belongs to your directory entry. The domain is no longer verified. Without another verified domain, the entry is pending."
        : "Today’s check found no proof that this domain belongs to your directory entry. We check the domain once a day. If all checks fail for 72 hours, the domain is no longer verified.",
      {
        facts: [
          ["Domain", domain],
          ["Entry", oneLine(participantName)],
          ["Last proof", formatEnglishMailTime(provedAt, timeZone)],
          [isEnded ? "Not verified since" : "Verified until at least", formatEnglishMailTime(time, timeZone)],
        ],
      },
      "Publish one of these again. The required content is in the merchant dashboard, under Directory, and in the response to a claim in the directory’s API:",
      { list: [`the document ${url}`, `the TXT record ${record}`] },
      isEnded
        ? "Then check the domain again in the merchant dashboard, or verify it in the directory’s API."
        : "You don’t need to do anything else. The next check finds it.",
      { button: { label: "See the entry", href: entryUrl } },
    ],
  };
};

const partNames = { metadata: "the metadata", jwks: "the keys that it names" } as const;

/** An e-mail about published metadata or keys of a participant that have changed since the last check. */
const draftMetadataMail = (content: ContentOf<"metadata_changed">): Draft => {
  const { participantName, changes, at, timeZone, entryUrl } = content;
  return {
    subject: `The published metadata of ${oneLine(participantName)} changed`,
    blocks: [
      "The directory checks the metadata documents of your entry every hour. Since the previous check, the following has changed:",
      { list: changes.map(({ uri, part }) => `${oneLine(uri)}: ${partNames[part]}`) },
      {
        facts: [
          ["Entry", oneLine(participantName)],
          ["Found", formatEnglishMailTime(at, timeZone)],
        ],
      },
      "If you changed them, you don’t need to do anything. If not, check who can change these documents.",
      { button: { label: "See the changes", href: entryUrl } },
    ],
  };
};

/** An e-mail about an entry that an operator suspended, or whose suspension an operator lifted. */
export const draftEntryMail = (content: ContentOf<"entry_suspended" | "entry_resumed">): Draft => {
  const { kind, participantName, at, timeZone, entryUrl } = content;
  const entry = oneLine(participantName);
  const isSuspended = kind === "entry_suspended";
  return {
    subject: isSuspended
      ? `The directory entry of ${entry} is suspended`
      : `The directory entry of ${entry} is no longer suspended`,
    blocks: [
      isSuspended
        ? "Paygrant has suspended this entry in the directory. The entry can’t be changed, and payers see its apps as not verified. Its software statements and its tokens for agents aren’t accepted."
        : "Paygrant has lifted the suspension of this entry in the directory. The entry can be changed, and payers see its apps as verified again, if a domain is verified and the merchant isn’t suspended.",
      {
        facts: [
          ["Entry", entry],
          ["Since", formatEnglishMailTime(at, timeZone)],
        ],
      },
      ...(isSuspended ? ["Its apps keep working. We will e-mail you when the suspension is lifted."] : []),
      { button: { label: "See the entry", href: entryUrl } },
    ],
  };
};

/** An e-mail about an app of an entry that an operator deleted. */
export const draftAppDeletedMail = (content: ContentOf<"app_deleted">): Draft => {
  const { participantName, appName, clientId, at, timeZone, entryUrl } = content;
  return {
    subject: `The app ${oneLine(appName)} was deleted`,
    blocks: [
      "Paygrant has deleted an app of your directory entry. Its mandates, grants and tokens have ended, and the entry no longer has its keys. Charges that it submitted earlier continue.",
      {
        facts: [
          ["App", oneLine(appName)],
          ["Client ID", clientId],
          ["Entry", oneLine(participantName)],
          ["When", formatEnglishMailTime(at, timeZone)],
        ],
      },
      { button: { label: "See the entry", href: entryUrl } },
    ],
  };
};
