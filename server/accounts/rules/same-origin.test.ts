import { describe, expect, it } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const own = ["https://pay.example"];

describe("same-origin guard", () => {
  it.each([
    ["the browser says same-origin", "same-origin", null, true],
    ["a sibling host is another origin", "same-site", "https://pay.example", false],
    ["another site with any Origin", "cross-site", "https://pay.example", false],
    ["a navigation by the address bar", "none", null, false],
    ["no Sec-Fetch-Site, own Origin", null, "https://pay.example", true],
    ["no Sec-Fetch-Site, another site's Origin", null, "https://evil.example", false],
    ["an opaque Origin", null, "null", false],
    ["neither header", null, null, false],
  ])("%s", (_title, secFetchSite, origin, expected) => {
    expect(isSameOrigin({ secFetchSite, origin }, own)).toBe(expected);
  });
});
