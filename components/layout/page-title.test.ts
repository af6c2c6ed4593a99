import { resolveTitle } from "next/dist/lib/metadata/resolvers/resolve-title.js";
import { expect, test } from "vitest";
import { pageTitle } from "./page-title.ts";

test.each(["Make$$", "$& $' $`", "$1", "Grocer Bot"])("the page title contains %j unchanged", (name) => {
  expect(resolveTitle(pageTitle(`Let ${name} pay for you?`), "%s · Paygrant").absolute).toBe(
    `Let ${name} pay for you? · Paygrant`,
  );
});
