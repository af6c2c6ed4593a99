import { expect, test } from "vitest";
import { parseLogWitnesses } from "./log-witnesses.ts";

/** A key in the format of C2SP signed-note. Its hash is computed with the type 0x04. */
const key = "witness.example/w1+490ca8b1+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

test("reads the address and the key of each witness", () => {
  expect(parseLogWitnesses(" ")).toEqual([]);
  const witness = {
    key,
    name: "witness.example/w1",
    publicKey: Buffer.alloc(32),
    keyId: Buffer.from("490ca8b1", "hex"),
  };
  expect(parseLogWitnesses(` https://witness.example/submit/#${key} `)).toEqual([
    { ...witness, submissionUrl: "https://witness.example/submit" },
  ]);
});

test.each([
  ["no address", key],
  ["another scheme", `ftp://witness.example#${key}`],
  ["a query", `https://witness.example/?a=1#${key}`],
  ["no key", "https://witness.example"],
  ["a key with another hash", `https://witness.example#${key.replace("490ca8b1", "00000000")}`],
  ["a key of another type", `https://witness.example#${key.replace("+BAAA", "+AQAA")}`],
  ["the same witness twice", `https://a.example#${key},https://b.example#${key}`],
  ["an empty part", `https://a.example#${key},`],
])("refuses %s", (_title, text) => {
  expect(() => parseLogWitnesses(text)).toThrow("must be up to 16 witnesses");
});
