import { describe, expect, test } from "vitest";
import { decideProbe, type ProbeStatus } from "./probe-renewal.ts";

const sound: ProbeStatus = { isOurs: true, isGranted: true, isPending: false, isLive: true, endsSoon: false };

describe("the consent that trials go by (docs/spec/status.md, Probes)", () => {
  test.each<[string, ProbeStatus | null, { shouldRequest: boolean; canRun: boolean }]>([
    ["nothing was asked for: it is", null, { shouldRequest: true, canRun: false }],
    ["it stands: a trial is made", sound, { shouldRequest: false, canRun: true }],
    [
      "it ends soon: another is asked for beside it",
      { ...sound, endsSoon: true },
      { shouldRequest: true, canRun: true },
    ],
    [
      "asked for beside it: waited for, and tried",
      { ...sound, endsSoon: true, isPending: true },
      { shouldRequest: false, canRun: true },
    ],
    ["it has ended: another is asked for", { ...sound, isLive: false }, { shouldRequest: true, canRun: false }],
    [
      "asked for and not granted yet: waited for",
      { ...sound, isGranted: false, isLive: false, isPending: true, endsSoon: true },
      { shouldRequest: false, canRun: false },
    ],
    ["asked for with other keys: with these", { ...sound, isOurs: false }, { shouldRequest: true, canRun: false }],
    [
      "asked for with other keys, and not granted: with these",
      { ...sound, isOurs: false, isPending: true },
      { shouldRequest: true, canRun: false },
    ],
  ])("%s", (_, standing, decision) => expect(decideProbe(standing)).toEqual(decision));
});
