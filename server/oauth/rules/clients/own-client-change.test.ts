import { UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { changedMetadata, type OwnClientChange, refuseAttested } from "./own-client-change.ts";

// docs/spec/portal.md, Apps and keys.

const key = (name: string) => ({ key: { kty: "EC", x: name, kid: name }, thumbprint: name });
const registered = (...names: string[]) => ({
  client_name: "Shop",
  scope: "charges.read",
  jwks: { keys: names.map((name) => key(name).key) },
});
const change = (names: string[], next: OwnClientChange) => changedMetadata(registered(...names), names.map(key), next);
const add = (name: string, endsOthers = false, jwk: object = key(name).key) =>
  ({ kind: "add_key", jwk: { ...jwk }, thumbprint: name, endsOthers }) as const;

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
};

describe("keys", () => {
  test("an added key is valid alongside the others, and adding it again changes nothing", () => {
    expect(change(["a"], add("b"))).toEqual(registered("a", "b"));
    expect(change(["a", "b"], add("b"))).toBeNull();
  });

  test("an added key can replace all other keys", () => {
    expect(change(["a", "b"], add("c", true))).toEqual(registered("c"));
    expect(change(["a", "b"], add("b", true))).toEqual(registered("b"));
    expect(change(["b"], add("b", true))).toBeNull();
  });

  test("a key without a kid gets its thumbprint as kid; no key can be added next to a registered key without a kid", () => {
    expect(change(["a"], add("b", false, { kty: "EC", x: "b" }))).toEqual(registered("a", "b"));
    const bare = { ...registered(), jwks: { keys: [{ kty: "EC", x: "a" }] } };
    const keys = [{ key: { kty: "EC", x: "a" }, thumbprint: "a" }];
    expect(() => changedMetadata(bare, keys, add("b"))).toThrow(/no kid/);
    expect(changedMetadata(bare, keys, add("b", true))).toEqual(registered("b"));
  });

  test("a key is removed once, and the last key can't be removed", () => {
    const remove = (thumbprint: string) => ({ kind: "remove_key", thumbprint }) as const;
    expect(change(["a", "b"], remove("a"))).toEqual(registered("b"));
    expect(change(["b"], remove("a"))).toBeNull();
    expect(() => change(["b"], remove("b"))).toThrow(/at least one key/);
  });

  test("a registered key replaces the URL of the keys", () => {
    const { jwks: _, ...rest } = registered();
    const next = changedMetadata({ ...rest, jwks_uri: "https://shop.example/jwks" }, [], add("a"));
    expect(next).toEqual(registered("a"));
  });
});

describe("edit", () => {
  const edit = { kind: "edit", name: "Shop", scopes: ["charges.read"], jwksUri: null } as const;

  test("keeps the keys; the same values change nothing", () => {
    expect(change(["a"], edit)).toBeNull();
    expect(change(["a"], { ...edit, name: "Store" })).toEqual({ ...registered("a"), client_name: "Store" });
  });

  test("a URL replaces the keys, and can't be removed while no key is registered", () => {
    const { jwks: _, ...rest } = registered();
    const remote = { ...rest, jwks_uri: "https://shop.example/jwks" };
    expect(change(["a"], { ...edit, jwksUri: remote.jwks_uri })).toEqual(remote);
    expect(() => changedMetadata(remote, [], edit)).toThrow(/add a key/);
  });

  test("what a software statement sets can't be changed (RFC 7591 §2.3)", () => {
    const check = (claims: object, sent: object) => () => {
      const software_statement = new UnsecuredJWT({ ...claims }).encode();
      refuseAttested({ ...registered("a"), software_statement }, { ...registered("a"), ...sent });
    };
    const { jwks } = registered("a", "b");
    const address = { jwks_uri: "https://shop.example/jwks" };
    expect(check({ client_name: "Shop" }, { client_name: "Store" })).toThrow(/software statement/);
    expect(check({ jwks }, { jwks })).toThrow(/software statement/);
    expect(check(address, { jwks })).toThrow(/software statement/);
    expect(check({ jwks }, address)).toThrow(/software statement/);
    expect(check({ client_name: "Shop" }, { jwks, scope: "charges.write" })).not.toThrow();
    expect(() => refuseAttested(registered("a"), registered("a", "b"))).not.toThrow();
  });

  test("a refusal is a whole sentence, without the name of the field", () => {
    const { jwks: _, ...rest } = registered();
    const remote = { ...rest, jwks_uri: "https://shop.example/jwks" };
    const bare = [{ key: { kty: "EC", x: "a" }, thumbprint: "a" }];
    const refusals = [
      messageOf(() => change(["a"], { ...edit, scopes: [] })),
      messageOf(() => changedMetadata(remote, [], edit)),
      messageOf(() => changedMetadata(registered(), bare, add("b"))),
      messageOf(() => change(["a"], { kind: "remove_key", thumbprint: "a" })),
    ];
    expect(refusals).toEqual([
      "Choose at least one scope.",
      "Enter a URL. To register keys instead, add a key: it replaces the URL.",
      "The current key has no kid, so two keys can’t be valid at once. Choose to make the other keys invalid now.",
      "An app needs at least one key. Add a new key first, or delete the app.",
    ]);
  });
});
