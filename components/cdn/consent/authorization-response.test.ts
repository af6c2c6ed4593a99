import { describe, expect, test } from "vitest";
import { readMessage, readResponse, resultOf, toMessage } from "./authorization-response.ts";

const iss = "https://pay.example";
const approved = { iss, state: "s", code: "c", error: null };

describe("the authorization response of a callback page", () => {
  test.each([
    [`?code=c&state=s&iss=${iss}`, approved],
    [`?code=c&iss=${iss}`, { ...approved, state: null }],
    [`?error=access_denied&state=s&iss=${iss}`, { iss, state: "s", code: null, error: "access_denied" }],
    ["", null],
    ["?utm_source=mail", null],
    ["?code=c&state=s", null],
    [`?state=s&iss=${iss}`, null],
    [`?code=c&error=access_denied&iss=${iss}`, null],
    [`?code=c&code=d&iss=${iss}`, null],
    [`?code=c&iss=${iss}&iss=https://evil.example`, null],
  ])("%s", (search, expected) => {
    expect(readResponse(search)).toEqual(expected);
  });

  test("is restored from its message, and other messages are ignored", () => {
    expect(readMessage(toMessage(approved))).toEqual(approved);
    for (const data of [null, "text", 3, {}, approved, { ...toMessage(approved), code: 3 }, { type: "other", iss }]) {
      expect(readMessage(data)).toBeNull();
    }
  });

  test("becomes the result approved or declined; any error other than access_denied is thrown with its code", () => {
    expect(resultOf(approved)).toEqual({ status: "approved", code: "c", state: "s", iss });
    expect(resultOf({ ...approved, code: null, error: "access_denied" })).toEqual({ status: "declined" });
    expect(() => resultOf({ ...approved, code: null, error: "server_error" })).toThrow(
      expect.objectContaining({ name: "ConsentError", code: "server_error" }),
    );
  });
});
