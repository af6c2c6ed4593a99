import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { translator } from "#server/kernel/messages/translator.ts";
import { problemOf } from "./problem.tsx";
import { messageOf } from "./trpc-client.ts";

/** A field that the input schema of a procedure refuses (server/trpc/init.ts). */
const refusal = new TRPCClientError("displayName: Use at most 200 characters.", {
  result: {
    error: {
      message: "displayName: Use at most 200 characters.",
      code: -32_600,
      data: {
        code: "BAD_REQUEST",
        reason: null,
        values: {},
        fields: [{ pointer: "/displayName", detail: "Use at most 200 characters." }],
      },
    },
  },
});
const fieldsIn = (locale: string) => {
  const texts = { acts: translator(locale, "acts"), passkey: translator(locale, "passkey"), locale };
  return problemOf(refusal, messageOf(refusal, texts)).fields;
};

describe("a refused field (docs/spec/portal.md, Languages)", () => {
  it("has the server’s text on an English page", () => {
    expect(fieldsIn("en-GB")).toEqual({ "/displayName": "Use at most 200 characters." });
  });

  it("has a German text on a German page", () => {
    expect(fieldsIn("de-DE")).toEqual({ "/displayName": translator("de-DE", "acts")("reasons.invalid_request") });
  });
});
