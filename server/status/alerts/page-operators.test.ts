import { beforeEach, expect, test } from "vitest";
import { readVariables, toConfig } from "../../platform/config.ts";
import type { MailSender } from "../../platform/mail/smtp.ts";
import { boardOf } from "../rules/board.fixture.ts";
import type { Board } from "../rules/board.ts";
import { type JournalRecord, withRecords } from "../rules/journal/journal-record.ts";
import { outageRecords } from "../rules/journal/journal-records.fixture.ts";
import { createPager } from "./page-operators.ts";

const config = toConfig(
  readVariables({ DATABASE_URL: "postgresql://p@127.0.0.1/p", MASTER_KEY: Buffer.alloc(32).toString("base64url") }),
);
const log = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
let board: Board;
let pending: JournalRecord[];
let ageSeconds: number;
let mails: { recipient: string; subject: string; id: string }[];
let outcome: Awaited<ReturnType<MailSender>>;
let refuse: (recipient: string) => boolean;
beforeEach(() => {
  pending = outageRecords("a");
  board = withRecords(boardOf({ operatorEmails: ["ola@example.test", "oda@example.test"] }), pending);
  ageSeconds = 60;
  mails = [];
  outcome = { kind: "sent" };
  refuse = () => false;
});

const send: MailSender = async ({ recipient, subject, id }) => {
  if (refuse(recipient)) return { kind: "failed", problem: "451 later", isFinal: false };
  if (outcome.kind === "sent") mails.push({ recipient, subject, id });
  return outcome;
};
const page = () => pager();
let pager: () => Promise<number>;
beforeEach(() => {
  pager = createPager(
    {
      config,
      log,
      board: () => board,
      db: null as never,
      clock: { now: () => new Date(board.readAt.getTime() + ageSeconds * 1000) as never },
      journal: { append: async (records) => void pending.push(...records), pending: () => pending },
    },
    send,
  );
});

test("without the database, operators are mailed once when an alert starts and once when it ends (docs/spec/status.md, Alerts)", async () => {
  expect([await page(), await page()]).toEqual([2, 0]);
  expect(mails.map(({ recipient, subject }) => `${recipient} ${subject}`).toSorted()).toEqual([
    "oda@example.test Resolved: Wallet portal no longer burns its error budget too fast",
    "oda@example.test Urgent: Wallet portal has an error budget burn rate of 20.5",
    "ola@example.test Resolved: Wallet portal no longer burns its error budget too fast",
    "ola@example.test Urgent: Wallet portal has an error budget burn rate of 20.5",
  ]);
  expect(new Set(mails.map(({ id }) => id)).size).toBe(4);
});

test("retries if no operator could be reached", async () => {
  outcome = { kind: "failed", problem: "no answer", isFinal: false };
  expect(await page()).toBe(0);
  outcome = { kind: "sent" };
  expect(await page()).toBe(2);
});

test("retries only the operators that could not be reached", async () => {
  let isBroken = true;
  refuse = (recipient) => isBroken && recipient.startsWith("oda");
  expect(await page()).toBe(2);
  expect(mails.map(({ recipient }) => recipient)).toEqual(["ola@example.test", "ola@example.test"]);
  isBroken = false;
  expect([await page(), await page()]).toEqual([2, 0]);
  expect(mails.map(({ recipient }) => recipient).slice(2)).toEqual(["oda@example.test", "oda@example.test"]);
});

test("doesn't retry a recipient that the mail server rejects; the queued mail remains", async () => {
  outcome = { kind: "failed", problem: "550 relaying denied", isFinal: true };
  expect(await page()).toBe(0);
  outcome = { kind: "sent" };
  expect(await page()).toBe(0);
  // The replay queues mail for recipients that the journal doesn't list.
  expect(pending.filter(({ kind }) => kind === "alert_mailed")).toEqual([]);
});
