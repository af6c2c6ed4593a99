import { OAuthError } from "../../kernel/errors.ts";

/** Client metadata as sent. A member that is null counts as left out (RFC 7592 §2.2). */
export type Raw = Readonly<Record<string, unknown>>;

/** Refuses one member by its name. @throws OAuthError invalid_client_metadata, or invalid_redirect_uri (RFC 7591 §3.2.2). */
export const bad = (member: string, problem: string): never => {
  throw new OAuthError(
    member === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
    `${member}: ${problem}`,
  );
};

export const optional = <T>(member: string, value: T | undefined): Record<string, T> =>
  value === undefined ? {} : { [member]: value };

/** Distinct texts of at most 2000 characters each. */
export const stringList = (raw: Raw, member: string): string[] | undefined => {
  const value = raw[member];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string" || item.length > 2000))
    return bad(member, "must be a list of strings");
  return [...new Set(value as string[])];
};

export const text = (raw: Raw, member: string, maxLength: number): string | undefined => {
  const value = raw[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value === "" || value.length > maxLength) {
    return bad(member, `must be a string of 1 to ${maxLength} characters`);
  }
  return value;
};

/** It stands on the consent page: nothing that could make the page read differently from what it says. */
const shownName = (raw: Raw, member: string): string | undefined => {
  const name = text(raw, member, 200);
  if (name !== undefined && (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name) || name.trim() === "")) {
    return bad(member, "must be plain text without control characters");
  }
  return name;
};

const webAddress = (raw: Raw, member: string): string | undefined => {
  const value = text(raw, member, 2000);
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") return bad(member, "must be an https address");
  return value;
};

/** What people read, and may be sent once per language (RFC 7591 §2.2). */
const readable = {
  client_name: shownName,
  client_uri: webAddress,
  logo_uri: webAddress,
  policy_uri: webAddress,
  tos_uri: webAddress,
} as const;
type Readable = keyof typeof readable;
const maxTranslations = 100;

const isReadable = (name: string): name is Readable => Object.hasOwn(readable, name);

/** client_name, client_uri and their like, with `client_name#de` and all other translations, each checked alike. */
export const readableMembers = (raw: Raw): Record<string, string> => {
  const checked: Record<string, string> = {};
  const seen = new Set<string>();
  for (const member of Object.keys(raw)) {
    const [name = "", tag] = member.split(/#(.*)/s);
    if (!isReadable(name)) continue;
    if (tag !== undefined) {
      // RFC 5646 §2.1, so far as to be sure that it is a language tag and nothing else; §2.1.1: in any case.
      if (tag.length > 35 || !/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag))
        bad(name, "has a malformed language tag");
      if (seen.has(member.toLowerCase())) bad(member, "is there twice");
      seen.add(member.toLowerCase());
      if (seen.size > maxTranslations) bad(name, `has more than ${maxTranslations} translations`);
    }
    const value = readable[name](raw, member);
    if (value !== undefined) checked[member] = value;
  }
  return checked;
};
