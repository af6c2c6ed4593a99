import { privateMembers } from "../../../kernel/crypto/private-members.ts";

/** The text that replaces a secret in the API log. */
export const redacted = "[redacted]";

/** Characters of a body that are kept. */
const keptCharacters = 4_096;
/** A body with more characters isn't parsed, so that the work for one request is bounded. */
const parsedCharacters = 96_000;

/** A name that contains one of these parts is secret. Names are compared in lower case, without `_` and `-`. */
const secretParts = [
  "token",
  "assertion",
  "secret",
  "password",
  "passphrase",
  "authorization",
  "cookie",
  "dpop",
  "proof",
  "presentation",
  "credential",
  "privatekey",
  "apikey",
  "cardnumber",
  "accountnumber",
  "iban",
];
/**
 * Names that are secret only as a whole: other names that contain them aren't secret. `pan` and `cvc` are card data.
 */
const secretNames = new Set(["pan", "cvc", "cvv", "csc", "pin", "otp", "jwt", "vp", "codeverifier"]);
/** Names that contain one of the parts above but aren't secret. */
const publicNames = new Set([
  "tokentype",
  "tokentypehint",
  "subjecttokentype",
  "actortokentype",
  "issuedtokentype",
  "requestedtokentype",
  "clientassertiontype",
  "tokenendpointauthmethod",
  "tokenendpointauthsigningalg",
  "dpopboundaccesstokens",
  "credentialid",
  "credentialstatus",
]);
/** Members of an object about a card. */
const cardMembers = new Set(["number", "expiry", "expmonth", "expyear"]);

const normalize = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

const isSecretName = (name: string): boolean => {
  const plain = normalize(name);
  if (publicNames.has(plain)) return false;
  return secretNames.has(plain) || secretParts.some((part) => plain.includes(part));
};

const compactJws = /\bey[\w-]{6,}\.[\w-]+\.[\w-]*(?:~[\w~.-]*)?/g;
const authorizations = /\b(Bearer|DPoP|Basic)\s+[\w~+/.=-]{8,}/gi;
const prefixedKeys = /\b(?:whsec|sk|rk|pk)_[\w+/=-]{8,}/g;
const cardNumbers = /\b\d(?:[ -]?\d){12,18}\b/g;

/** The check digit of card numbers (ISO/IEC 7812-1). */
const isCardNumber = (text: string): boolean => {
  const digits = text.replace(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** Secrets that can be recognized in any text. */
const redactText = (text: string): string =>
  text
    .replace(compactJws, redacted)
    .replace(authorizations, (_, scheme: string) => `${scheme} ${redacted}`)
    .replace(prefixedKeys, redacted)
    .replace(cardNumbers, (digits) => (isCardNumber(digits) ? redacted : digits));

const redactValue = (value: unknown): unknown => {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).map(normalize);
  const isKey = names.includes("kty");
  const isCard = names.some((name) => name === "cvc" || name === "cvv" || name.startsWith("exp"));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redactText(name), redactMember({ name, member, isKey, isCard })]),
  );
};

type Member = { name: string; member: unknown; isKey: boolean; isCard: boolean };

const redactMember = ({ name, member, isKey, isCard }: Member): unknown => {
  const isPrivate = isKey && privateMembers.includes(normalize(name));
  const isOfCard = (isCard && cardMembers.has(normalize(name))) || (normalize(name) === "card" && !isObject(member));
  // A secret member is replaced as a whole, even if it is a list or an object.
  return isPrivate || isOfCard || (isSecretName(name) && member !== null) ? redacted : redactValue(member);
};

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const cut = (text: string): string =>
  text.length <= keptCharacters ? text : `${text.slice(0, keptCharacters)}… (cut: ${text.length} characters)`;

/** A JSON body without secrets. A text that isn't JSON is replaced by a note. */
export const redactJson = (body: string): string => {
  if (body.length > parsedCharacters) return `(not kept: ${body.length} characters)`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "(not kept: the body is not valid JSON)";
  }
  return cut(JSON.stringify(redactValue(value)));
};

/** A form body or a query without secrets. Codes are secrets there; in JSON, `code` is the code of an error. */
export const redactForm = (form: string): string => {
  if (form.length > parsedCharacters) return `(not kept: ${form.length} characters)`;
  const pairs = [...new URLSearchParams(form)].map(
    ([name, value]) => `${redactText(name)}=${isSecretName(name) || name === "code" ? redacted : redactText(value)}`,
  );
  return cut(pairs.join("&"));
};
