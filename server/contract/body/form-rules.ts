import { isUtf8 } from "node:buffer";
import { defineRules } from "../../kernel/rule.ts";
import { isText } from "../../kernel/text/text.ts";

/** RFC 8707 §2 and RFC 8693 §2.1 allow these two parameters to repeat. */
export const repeatable: ReadonlySet<string> = new Set(["resource", "audience"]);

/** Escapes of bytes beyond ASCII. Most forms have no such escapes, and then need no further check. */
const escapesBeyondAscii = /%[89a-f]/i;
const escapedOctets = /(?:%[\da-f]{2})+/gi;

/**
 * Characters beyond ASCII. If the form also has a `%` without two hex digits, Node reads each of these characters as
 * one byte: the character's code modulo 256.
 */
const beyondAscii = /[^\0-\x7f]/;
const invalidEscape = /%(?![\da-f]{2})/i;

const escapesUtf8 = (text: string): boolean =>
  !escapesBeyondAscii.test(text) ||
  (text.match(escapedOctets) ?? []).every((octets) => isUtf8(Buffer.from(octets.replaceAll("%", ""), "hex")));

const isReadAsSent = (text: string): boolean =>
  escapesUtf8(text) && !(beyondAscii.test(text) && invalidEscape.test(text));

/** Rules for the text of a form or query, which apply before the text is parsed. */
export const formRules = defineRules<{ text: string }>(
  "form or query, syntax",
  { places: ["every form"], error: "invalid_request" },
  [
    {
      // The parser would replace such characters, and a `state` would not be returned unchanged.
      name: "form-utf8",
      source: "RFC 6749 Appendix B",
      problem: "a parameter is not UTF-8 text",
      holds: ({ text }) => isReadAsSent(text),
    },
  ],
);

/** A parameter and the names of the parameters before it. */
type Parameter = { name: string; value: string; seen: ReadonlySet<string> };

export const parameterRules = defineRules<Parameter>(
  "parameter of a form or query",
  { places: ["every form"], error: "invalid_request" },
  [
    {
      name: "parameter-text",
      source: "RFC 6749 Appendix B",
      problem: "a parameter contains NUL",
      holds: ({ name, value }) => isText(name) && isText(value),
    },
    {
      name: "parameter-once",
      source: "RFC 6749 §3.1, §3.2",
      problem: "a parameter is sent more than once",
      holds: ({ name, seen }) => repeatable.has(name) || !seen.has(name),
    },
  ],
);

/** Logs and browser histories keep URLs, so a URL must not contain secrets. */
export const queryRules = defineRules<{ has(name: string): boolean }>(
  "query of an authenticated request",
  { places: ["every private_key_jwt", "every access token"], error: "invalid_request" },
  [
    {
      name: "no-credentials-in-query",
      source: "RFC 6749 §2.3.1",
      error: "invalid_client",
      problem: "credentials must not be in the URL",
      holds: (query) => !query.has("client_assertion") && !query.has("client_secret"),
    },
    {
      name: "no-token-in-query",
      source: "RFC 9700 §4.3.2",
      problem: "an access token must not be in the URL",
      holds: (query) => !query.has("access_token"),
    },
  ],
);
