import { expect, test } from "vitest";
import { createTerminalView } from "./terminal-log.ts";

const base = { time: "2026-11-26T12:00:00.000Z", environment: "sandbox", role: "web", pid: 7 };
const info = (more: object) => ({ level: "info", ...base, ...more });
const warn = (more: object) => ({ level: "warn", ...base, ...more });
const request = { requestId: "req_1", operation: "signIn", status: 303, milliseconds: 52, msg: "request" };
const page = { requestId: "req_2", method: "GET", path: "/wallet", status: 200, milliseconds: 12.5, msg: "page" };

const viewAt = () => {
  let now = 0;
  const view = createTerminalView(() => now);
  return { view, advance: (seconds: number) => (now += seconds * 1000) };
};

test("a request of a person or a program is one row", () => {
  const { view } = viewAt();
  const { pid: _, ...rest } = base;
  expect(view(info(request))).toEqual({ level: "info", ...rest, msg: "signIn 303, 52 ms" });
  expect(view(info(page))).toEqual({ level: "info", ...rest, msg: "GET /wallet 200, 12.5 ms" });
});

test.each([
  ["a probe's request", { ...request, background: true }],
  ["a probe's page", { ...page, background: true }],
  ["a health check", { ...request, operation: "getHealth" }],
  ["a readiness check", { ...request, operation: "getReadiness" }],
  ["a job", { job: "send-mail", milliseconds: 4, msg: "job done" }],
  ["a job that waits while everything starts", { job: "import-foreign-keys", msg: "job waits" }],
  ["a component's state", { component: "sandbox", state: "operational", msg: "a component's state changed" }],
])("%s isn't shown", (_title, line) => expect(viewAt().view(info(line))).toBeNull());

test("a warning is one row without its stack, at most once a minute", () => {
  const { view, advance } = viewAt();
  const err = { type: "Error", message: "connect ECONNREFUSED\nmore", stack: "Error: …\n at …" };
  const first = view(warn({ err, msg: "job queue" }));
  expect(first).toEqual(warn({ problem: "connect ECONNREFUSED", msg: "job queue" }));
  expect(view(warn({ err, msg: "job queue", time: "2026-11-26T12:00:01.000Z" }))).toBeNull();
  expect(view(warn({ err: { ...err, message: "another" }, msg: "job queue" }))).not.toBeNull();
  advance(60);
  expect(view(warn({ err, msg: "job queue" }))).toEqual(first);
});

test("an error is printed in full, each time", () => {
  const { view } = viewAt();
  const fault = { level: "error", ...base, err: { message: "x", stack: "Error: x\n at y" }, msg: "fault" };
  expect([view(fault), view(fault)]).toEqual([fault, fault]);
});
