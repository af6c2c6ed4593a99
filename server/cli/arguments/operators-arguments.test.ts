import { describe, expect, test } from "vitest";
import { readOperatorsArguments } from "./operators-arguments.ts";

const isSandbox = false;

describe("the arguments of npm run operators (docs/operating.md, Operators)", () => {
  test.each([
    [
      ["add", "Ola@Example.com"],
      { command: "add", email: "ola@example.com", role: null, isSandbox, reason: "npm run operators -- add" },
    ],
    [
      ["add", "ola@example.com", "--role", "viewer"],
      { command: "add", email: "ola@example.com", role: "viewer", isSandbox, reason: "npm run operators -- add" },
    ],
    [
      ["add", "--sandbox", "a@b.co", "--role=support", "--reason", " Joined the team "],
      { command: "add", email: "a@b.co", role: "support", isSandbox: true, reason: "Joined the team" },
    ],
    [["list"], { command: "list", isSandbox }],
    [
      ["remove", "ola@example.com"],
      { command: "remove", email: "ola@example.com", isSandbox, reason: "npm run operators -- remove" },
    ],
  ])("%j", (args, expected) => expect(readOperatorsArguments(args)).toEqual(expected));

  test.each([
    [[], "no command: use add EMAIL, list or remove EMAIL"],
    [["invite", "ola@example.com"], "invite: use add EMAIL, list or remove EMAIL"],
    [["add"], "add: name one e-mail address"],
    [["add", "ola"], "add: ola is not an e-mail address"],
    [["add", "a@b.co", "c@d.co"], "add: name one e-mail address"],
    [["add", "a@b.co", "--role", "owner"], "--role: must be one of admin, support, viewer, not owner"],
    [["remove", "a@b.co", "--role", "admin"], "--role: only for add"],
    [["list", "--reason", "Just looking"], "--reason: only for add and remove"],
    [["remove", "a@b.co", "--reason", " x "], "--reason: must have 3 to 500 characters"],
    [["list", "a@b.co"], "list: takes no address (a@b.co)"],
  ])("%j is refused with one line", (args, message) => {
    expect(() => readOperatorsArguments(args)).toThrow(message);
  });
});
