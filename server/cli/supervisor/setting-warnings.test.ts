import { expect, test } from "vitest";
import { settingWarnings } from "./setting-warnings.ts";

test("warns about a misspelled setting, without its value", () => {
  const file = "SMPT_URL=smtps://user:secret@mail.example\nSIGN_UP=open\nNODE_EXTRA_CA_CERTS=/ca.pem\n# OLD=1\n";
  expect(settingWarnings(file, {})).toEqual([
    "warning: SMPT_URL in .env isn't a known setting and is ignored; check the name in .env.example",
  ]);
});

test("warns about a public URL without https, except on loopback: session cookies need a secure origin", () => {
  expect(settingWarnings("", { BASE_URL: "http://pay.example", SANDBOX_URL: "https://sandbox.example" })).toEqual([
    expect.stringMatching(/^warning: BASE_URL isn't https/),
  ]);
  expect(settingWarnings("", { BASE_URL: "http://localhost:3000" })).toEqual([]);
});
