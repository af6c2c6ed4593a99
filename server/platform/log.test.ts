import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { requestLine } from "./log.ts";

test("writes the same request line as pino", () => {
  const common = { role: "web", environment: 'of "quotes"', pid: 7 };
  const request = { requestId: "req_1", operation: "issueToken", status: 200, milliseconds: 3.5 };
  const at = Date.UTC(2026, 10, 21, 8, 30, 0, 5);
  let written = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const options = {
    base: common,
    timestamp: () => `,"time":"${new Date(at).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  pino(options, destination).info(request, "request");
  const toLine = requestLine(common);
  expect(toLine(request, at)).toBe(written);
  expect(toLine(request, at + 1)).toBe(written.replace("00.005Z", "00.006Z"));
});
