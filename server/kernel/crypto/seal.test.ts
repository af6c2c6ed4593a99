import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer, masterKeyFingerprint } from "./seal.ts";

const masterKey = randomBytes(32);
const sealer = createSealer(masterKey, "test");

test("opens a sealed value in its own context only", () => {
  const sealed = sealer.seal("secret", "row:1");
  expect(sealed).not.toContain("secret");
  expect(sealer.open(sealed, "row:1")).toBe("secret");
  expect(() => sealer.open(sealed, "row:2")).toThrow();
});

test("doesn't open with another key, another purpose or a changed byte", () => {
  const sealed = sealer.seal("secret", "row:1");
  expect(() => createSealer(randomBytes(32), "test").open(sealed, "row:1")).toThrow();
  expect(() => createSealer(masterKey, "other").open(sealed, "row:1")).toThrow();
  const [version, nonce, body = ""] = sealed.split(".");
  const changed = [version, nonce, (body.startsWith("A") ? "B" : "A") + body.slice(1)].join(".");
  expect(() => sealer.open(changed, "row:1")).toThrow();
  expect(() => sealer.open("v1.x", "row:1")).toThrow(/not a sealed value/);
});

test("a fingerprint identifies a master key without revealing it", () => {
  expect(masterKeyFingerprint(masterKey)).toBe(masterKeyFingerprint(masterKey));
  expect(masterKeyFingerprint(masterKey)).not.toBe(masterKeyFingerprint(randomBytes(32)));
  expect(masterKey.toString("base64url")).not.toContain(masterKeyFingerprint(masterKey));
});
