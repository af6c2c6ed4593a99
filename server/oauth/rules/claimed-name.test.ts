import { expect, test } from "vitest";
import { claimsTrust } from "./claimed-name.ts";

test.each([
  "Paygrant",
  "PAYGRANT Support",
  "Visa (verified by Paygrant)",
  "Pаygrаnt",
  "Ｐａｙｇｒａｎｔ",
  "Páy-grant",
  "Pay\u200bgrant",
  "Pay Grant",
  "P4ygr4nt",
  "Visa (Verified by VISA)",
  "Visa, verified",
  "Grocer Bot – geprüft",
  "Bot, approved  by your bank",
  "Bot, zertifiziert durch den TÜV",
])("a client can't have the name %s", (name) => expect(claimsTrust(name)).toBe(true));

test.each(["Grocer Bot", "Pay grants office", "Unverified Pizza", "Payments by Grant", "Übergabe", "食料品ボット"])(
  "a client can have the name %s",
  (name) => expect(claimsTrust(name)).toBe(false),
);
