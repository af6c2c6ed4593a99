import { generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromDer, toDer } from "./ecdsa-der.ts";

const raw = Buffer.alloc(64);

test("converts R and S to DER and back, with leading zeros and sign bits (X.690 §8.3)", () => {
  const part = fc.tuple(fc.integer({ min: 0, max: 31 }), fc.uint8Array({ minLength: 32, maxLength: 32 }));
  fc.assert(
    fc.property(part, part, ([zerosR, r], [zerosS, s]) => {
      const both = Buffer.concat([Buffer.from(r).fill(0, 0, zerosR), Buffer.from(s).fill(0, 0, zerosS)]);
      const der = toDer(both);
      expect(der && fromDer(der)).toEqual(both);
    }),
  );
});

test("produces the DER that node:crypto writes", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (let round = 0; round < 300; round++) {
    const data = Buffer.from(String(round));
    const der = sign("sha256", data, privateKey);
    expect(toDer(fromDer(der))).toEqual(der);
    expect(verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, fromDer(der))).toBe(true);
  }
});

test("refuses ES256 signatures of another length (RFC 7518 §3.4)", () => {
  for (const length of [0, 63, 65]) expect(toDer(Buffer.alloc(length))).toBeNull();
  expect(toDer(raw)).toEqual(Buffer.from([0x30, 6, 2, 1, 0, 2, 1, 0]));
});
