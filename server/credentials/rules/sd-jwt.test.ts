import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import type { Json } from "../../kernel/text/json.ts";
import { conceal, toSdJwt } from "./sd-jwt.ts";

const saltGenerator = () => {
  let count = 0;
  return () => `salt-${count++}`;
};
const open = (disclosure: string): [string, string, Json] =>
  JSON.parse(Buffer.from(disclosure, "base64url").toString());

describe("conceal (RFC 9901 §4.2)", () => {
  it("hashes a disclosure as in the specification's example (§4.2.3, §5.1)", () => {
    const disclosure = "WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd";
    expect(open(disclosure)).toEqual(["2GLC42sKQveCfGfryNRN9w", "given_name", "John"]);
    expect(sha256Base64url(disclosure)).toBe("jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4");
  });

  it("removes the named members from the object, and the disclosures restore them", () => {
    const members = fc.dictionary(
      fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => name !== "_sd"),
      // Each value is read from JSON, because fast-check can generate -0, which JSON writes as 0.
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(members, fc.func(fc.boolean()), (object, isNamed) => {
        const names = new Set(Object.keys(object).filter((name) => isNamed(name)));
        const { object: concealed, disclosures } = conceal(object, names, {
          newSalt: saltGenerator(),
          totalDigests: 4,
        });
        const { _sd: digests, ...rest } = concealed;
        const opened = Object.fromEntries(disclosures.map((text) => open(text).slice(1)));
        expect({ ...rest, ...opened }).toEqual(JSON.parse(JSON.stringify(object)));
        expect(Object.keys(rest).some((name) => names.has(name))).toBe(false);
        expect(digests).toHaveLength(Math.max(4, names.size));
        for (const disclosure of disclosures) expect(digests).toContain(sha256Base64url(disclosure));
      }),
    );
  });

  it("adds decoys up to a fixed number of digests, in an order that reveals nothing (§4.2.4.1, §4.2.5)", () => {
    const options = () => ({ newSalt: saltGenerator(), totalDigests: 16 });
    const one = conceal({ a: 1 }, new Set(["a"]), options()).object["_sd"] as string[];
    expect(one).toHaveLength(16);
    expect(one).toEqual([...one].sort());
  });

  it("the SD-JWT ends with a tilde if it has no key binding (§4)", () => {
    expect(toSdJwt("jwt", ["d1", "d2"])).toBe("jwt~d1~d2~");
    expect(toSdJwt("jwt", [])).toBe("jwt~");
  });
});
