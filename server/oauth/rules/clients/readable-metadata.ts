import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { canBeSeen, isPlain } from "../../../kernel/text/text.ts";
import type { Raw } from "./metadata-members.ts";

/** Human-readable members, at most one per language (RFC 7591 §2.2). */
const addresses = ["client_uri", "logo_uri", "policy_uri", "tos_uri"];
const readable: ReadonlySet<string> = new Set(["client_name", ...addresses]);
const maxTranslations = 100;

/** `tag`: the language tag, `de` in `client_name#de`; `seen`: the earlier member names with tags, in lower case. */
type Readable = { member: string; name: string; tag: string | undefined; value: unknown; seen: ReadonlySet<string> };

const asSent = { any: [...readable].join(", "), one: ({ member }: Readable): string => member };
/** The error names the member without its invalid tag. */
const byName = { ...asSent, one: ({ name }: Readable): string => name };

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === "string" && value !== "" && (value.length <= maxLength || [...value].length <= maxLength);

export const readableMetadataRules = defineRules<Readable>(
  "client metadata for people, with translations",
  { places: ["registerClient", "replaceClientRegistration"], error: "invalid_client_metadata", names: asSent },
  [
    {
      // The form of a language tag (RFC 5646 §2.1), in upper or lower case (§2.1.1).
      name: "metadata-language-tag",
      source: "RFC 7591 §2.2",
      problem: "has a malformed language tag",
      names: byName,
      holds: ({ tag }) => tag === undefined || (tag.length <= 35 && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag)),
    },
    {
      name: "metadata-language-once",
      source: "RFC 7591 §2.2",
      problem: "is repeated",
      holds: ({ member, seen }) => !seen.has(member.toLowerCase()),
    },
    {
      name: "metadata-languages",
      source: "docs/spec/oauth.md, Client registration",
      problem: `has more than ${maxTranslations} translations`,
      names: byName,
      holds: ({ tag, seen }) => tag === undefined || seen.size < maxTranslations,
    },
    {
      name: "metadata-client-name",
      source: "docs/spec/oauth.md, Client registration",
      problem: "must be a string of 1 to 200 characters",
      names: { ...asSent, any: "client_name" },
      holds: ({ name, value }) => name !== "client_name" || isText(value, 200),
    },
    {
      // The consent page shows the name, so it must not contain characters that change the appearance of the page.
      name: "metadata-client-name-plain",
      source: "docs/spec/oauth.md, Client registration",
      problem: "must be plain text without control characters",
      names: { ...asSent, any: "client_name" },
      holds: ({ name, value }) => name !== "client_name" || isPlain(String(value)),
    },
    {
      name: "metadata-client-name-seen",
      source: "docs/spec/oauth.md, Client registration",
      problem: "must have a visible character",
      names: { ...asSent, any: "client_name" },
      holds: ({ name, value }) => name !== "client_name" || canBeSeen(String(value)),
    },
    {
      name: "metadata-web-address",
      source: "RFC 7591 §2",
      problem: "must be an https address of at most 2000 characters",
      names: { ...asSent, any: addresses.join(", ") },
      holds: ({ name, value }) =>
        name === "client_name" || (isText(value, 2000) && URL.canParse(value) && new URL(value).protocol === "https:"),
    },
  ],
);

/**
 * Checks client_name, client_uri and similar members, and all their translations such as `client_name#de`.
 * @throws OAuthError invalid_client_metadata.
 */
export const readableMembers = (raw: Raw): Record<string, string> => {
  const checked: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [member, value] of Object.entries(raw)) {
    const [name = "", tag] = member.split(/#(.*)/s);
    if (!readable.has(name)) continue;
    checkRules(readableMetadataRules, { member, name, tag, value, seen });
    if (tag !== undefined) seen.add(member.toLowerCase());
    checked[member] = value as string;
  }
  return checked;
};
