import { expect, test } from "vitest";
import { participantEditSchema } from "./participant.wire.ts";

test.each([
  ["https://shop.example/", null],
  ["http://shop.example/", "must be an https address"],
  [
    "https://shop.example@other.example/",
    "must be an https URL with only visible characters and no user name or password",
  ],
  ["https://shop.example/\u202E", "must be an https URL with only visible characters and no user name or password"],
])("checks that the URLs of an entry can't mislead readers: %j", (address, problem) => {
  for (const name of ["website_uri", "logo_uri"]) {
    const { error } = participantEditSchema.safeParse({ display_name: "Fresh Market", [name]: address });
    expect(error?.issues.map(({ message }) => message) ?? [null]).toEqual([problem]);
  }
});
