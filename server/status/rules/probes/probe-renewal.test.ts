import { describe, expect, test } from "vitest";
import { decideProbe, type ProbeStanding } from "./probe-renewal.ts";

const sound: ProbeStanding = { isOurs: true, isGranted: true, isPending: false, isLive: true, endsSoon: false };

describe("the consent that trials go by (docs/spec/status.md, Probes)", () => {
  test.each<[string, ProbeStanding | null, { asks: boolean; goes: boolean }]>([
    ["nothing was asked for: it is", null, { asks: true, goes: false }],
    ["it stands: a trial is made", sound, { asks: false, goes: true }],
    ["it ends soon: another is asked for beside it", { ...sound, endsSoon: true }, { asks: true, goes: true }],
    [
      "asked for beside it: waited for, and tried",
      { ...sound, endsSoon: true, isPending: true },
      { asks: false, goes: true },
    ],
    ["it has ended: another is asked for", { ...sound, isLive: false }, { asks: true, goes: false }],
    [
      "asked for and not granted yet: waited for",
      { ...sound, isGranted: false, isLive: false, isPending: true, endsSoon: true },
      { asks: false, goes: false },
    ],
    ["asked for with other keys: with these", { ...sound, isOurs: false }, { asks: true, goes: false }],
    [
      "asked for with other keys, and not granted: with these",
      { ...sound, isOurs: false, isPending: true },
      { asks: true, goes: false },
    ],
  ])("%s", (_, standing, decision) => expect(decideProbe(standing)).toEqual(decision));
});
