import { expect, test } from "vitest";
import { verifiedContacts } from "./verified-contacts.ts";

test.each([
  ["pay@shop.example", true],
  ["pay@Shop.Example", true],
  ["pay@mail.shop.example", true],
  ["pay@othershop.example", false],
  ["pay@shop.example.evil.test", false],
  ['"pay@shop.example"@evil.test', false],
])("with the verified domain shop.example, the contact %s is verified: %s", (contact, isVerified) => {
  expect(verifiedContacts([contact], ["shop.example"])).toEqual(isVerified ? [contact] : []);
});

test("without a verified domain, no contact is verified", () => {
  expect(verifiedContacts(["pay@shop.example"], [])).toEqual([]);
});
