import { describe, expect, it } from "vitest";
import { isMailAddress } from "./mail-address.ts";

const long = (length: number) => "a".repeat(length);

describe("an address that mail is sent to (RFC 5321 §4.1.2)", () => {
  it.each([
    "payer@demo.paygrant.test",
    "first.last+tag@example.co.uk",
    "o'neil@example.com",
    "x@xn--bcher-kva.example",
    `${long(64)}@example.com`,
  ])("takes %s", (text) => expect(isMailAddress(text)).toBe(true));

  it.each([
    "",
    "nobody",
    "@example.com",
    "a@",
    "a@localhost",
    "a@b@example.com",
    "a..b@example.com",
    ".a@example.com",
    "a.@example.com",
    "a@-example.com",
    "a@example-.com",
    "a@example..com",
    "a b@example.com",
    '"a b"@example.com',
    "a@[127.0.0.1]",
    "Eve <a@example.com>",
    "a@example.com,b@example.com",
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com\n",
    "a@example.com\0",
    "ä@example.com",
    `${long(65)}@example.com`,
    `a@${`${long(60)}.`.repeat(5)}com`,
  ])("refuses %j", (text) => expect(isMailAddress(text)).toBe(false));
});
