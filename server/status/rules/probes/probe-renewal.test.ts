import { describe, expect, test } from "vitest";
import { decideProbe, type ProbeStatus } from "./probe-renewal.ts";

const current: ProbeStatus = { isOurs: true, isGranted: true, isPending: false, isLive: true, endsSoon: false };

describe("the consent of synthetic journeys (docs/spec/status.md, Probes)", () => {
  test.each<[string, ProbeStatus | null, { shouldRequest: boolean; canRun: boolean }]>([
    ["not requested yet: request it", null, { shouldRequest: true, canRun: false }],
    ["valid: the journey runs", current, { shouldRequest: false, canRun: true }],
    ["ends soon: request a new consent", { ...current, endsSoon: true }, { shouldRequest: true, canRun: true }],
    [
      "ends soon, and a new consent is already requested: use the old one",
      { ...current, endsSoon: true, isPending: true },
      { shouldRequest: false, canRun: true },
    ],
    ["has ended: request a new consent", { ...current, isLive: false }, { shouldRequest: true, canRun: false }],
    [
      "requested and not granted yet: wait",
      { ...current, isGranted: false, isLive: false, isPending: true, endsSoon: true },
      { shouldRequest: false, canRun: false },
    ],
    [
      "requested with other keys: request a new consent with our keys",
      { ...current, isOurs: false },
      { shouldRequest: true, canRun: false },
    ],
    [
      "requested with other keys and not granted: request a new consent with our keys",
      { ...current, isOurs: false, isPending: true },
      { shouldRequest: true, canRun: false },
    ],
  ])("%s", (_, status, decision) => expect(decideProbe(status)).toEqual(decision));
});
