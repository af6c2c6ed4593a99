import { describe, expect, it } from "vitest";
import { isEmailAddress } from "./email-address.ts";

const long = (length: number) => "a".repeat(length);

describe("an e-mail address (HTML Standard, 4.10.5.1.5, with the lengths of RFC 5321 §4.5.3.1)", () => {
  it.each([
    "payer@demo.paygrant.test",
    "first.last+tag@example.co.uk",
    "o'neil@example.com",
    "ops&alerts@example.com",
    "x@xn--bcher-kva.example",
    "user@xn--h1alffa9f.xn--p1ai",
    "a@localhost",
    "a..b@example.com",
    ".a.@example.com",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    `${long(64)}@example.com`,
    `a@${`${long(60)}.`.repeat(4)}example`,
  ])("accepts %s", (text) => expect(isEmailAddress(text)).toBe(true));

  it.each([
    "",
    "nobody",
    "@example.com",
    "a@",
    "a@b@example.com",
    "a@-example.com",
    "a@example-.com",
    "a@example..com",
    "a@example.com.",
    "a@exa_mple.com",
    "a b@example.com",
    '"a b"@example.com',
    "a@[127.0.0.1]",
    "Eve <a@example.com>",
    "a@example.com,b@example.com",
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com\n",
    "a@example.com\0",
    "ä@example.com",
    "user@президент.рф",
    `${long(65)}@example.com`,
    `a@${long(64)}.example`,
    `a@${`${long(60)}.`.repeat(5)}com`,
  ])("refuses %j", (text) => expect(isEmailAddress(text)).toBe(false));
});
