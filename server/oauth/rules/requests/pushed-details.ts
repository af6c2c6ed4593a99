import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { parseExactly } from "../../../kernel/text/json.ts";
import { holdsText, isText, namesOnce } from "../../../kernel/text/text.ts";

const maxBytes = 16 * 1024;

/** `value` undefined: the text isn't JSON. */
type Sent = { text: string | undefined; value: unknown };

export const detailsRules = defineRules<Sent>(
  "authorization_details, as JSON",
  { places: ["pushAuthorizationRequest"], error: "invalid_authorization_details" },
  [
    {
      name: "details-sent",
      source: "docs/spec/oauth.md, Pushed authorization requests",
      error: "invalid_request",
      problem: "authorization_details is missing",
      holds: ({ text }) => text !== undefined,
    },
    {
      name: "details-size",
      source: "docs/spec/oauth.md, Authorization details",
      problem: "authorization_details is larger than 16 KiB",
      holds: ({ text = "" }) => Buffer.byteLength(text) <= maxBytes,
    },
    {
      name: "details-json",
      source: "RFC 9396 §2",
      problem: "authorization_details is not JSON",
      holds: ({ value }) => value !== undefined,
    },
    {
      // A JSON escape such as \u0000 can produce these characters. Without escapes, only the text itself is checked.
      name: "details-text",
      source: "RFC 8259 §8.2",
      problem: "authorization_details contains text with NUL or an unpaired surrogate",
      holds: ({ text = "", value }) => (text.includes("\\u") ? holdsText(value) : isText(text)),
    },
    {
      name: "details-once",
      source: "RFC 7493 §2.3",
      problem: "authorization_details has a repeated member",
      holds: ({ text = "" }) => namesOnce(text),
    },
    {
      name: "details-array",
      source: "RFC 9396 §2",
      problem: "authorization_details is not an array",
      holds: ({ value }) => Array.isArray(value),
    },
    {
      name: "details-not-empty",
      source: "docs/spec/oauth.md, Pushed authorization requests",
      error: "invalid_request",
      problem: "authorization_details has no payment_mandate_v1",
      holds: ({ value }) => Array.isArray(value) && value.length > 0,
    },
  ],
);

/** @returns a non-empty list. The mandates' rules check its items. @throws OAuthError invalid_authorization_details, invalid_request. */
export const readDetails = (text: string | undefined): unknown => {
  const value = text === undefined || Buffer.byteLength(text) > maxBytes ? undefined : parse(text);
  checkRules(detailsRules, { text, value });
  return value;
};

const parse = (text: string): unknown => {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
};
