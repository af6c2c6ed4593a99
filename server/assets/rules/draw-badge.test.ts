import { expect, test } from "vitest";
import { drawBadge } from "./draw-badge.ts";

test("a badge names the component and its state, also for screen readers", () => {
  const badge = drawBadge({ name: "Wallet portal", state: "partial_outage" });
  expect(badge).toContain("<title>Wallet portal: Partial outage</title>");
  expect(badge).toMatch(/<text[^>]*>Wallet portal<\/text><text[^>]*>Partial outage<\/text>/);
});

test("a badge escapes names, so that no markup gets into the picture", () => {
  const badge = drawBadge({ name: `<script>"&'`, state: "unknown" });
  expect(badge).not.toContain("<script>");
  expect(badge).toContain("&#60;script&#62;&#34;&#38;&#39;: Unknown");
});
