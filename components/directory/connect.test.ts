import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoted } from "./connect.tsx";

test("an address that contains shell metacharacters stays one argument", () => {
  const address = "https://shop.example/.well-known/oauth-protected-resource/;$(id)&|'$HOME*";
  const printed = execFileSync("sh", ["-c", `printf %s ${quoted(new URL(address).href)}`], { encoding: "utf8" });
  expect(printed).toBe(new URL(address).href.replaceAll("'", "%27"));
});
