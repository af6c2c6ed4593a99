import { readFile } from "node:fs/promises";

type CallFrame = { functionName: string; url: string; lineNumber: number };
type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
};

type Share = { name: string; share: number };

/** Where a process spent its time: per function and per part of the program, without idle time. */
export const summarizeProfile = async (file: string): Promise<{ busy: number; parts: Share[]; functions: Share[] }> => {
  const profile = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [parts, functions] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, key: string, time: number) => map.set(key, (map.get(key) ?? 0) + time);
  let [total, idle] = [0, 0];
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    const time = profile.timeDeltas[index] ?? 0;
    // Time in the inspector is caused by the profiler itself.
    if (!frame || time < 0 || frame.url === "node:inspector") continue;
    total += time;
    if (frame.functionName === "(idle)") {
      idle += time;
      continue;
    }
    add(parts, partOf(frame), time);
    add(functions, `${frame.functionName || "(anonymous)"}  ${placeOf(frame)}`, time);
  }
  const busyTime = total - idle;
  const rank = (map: Map<string, number>): Share[] =>
    [...map].map(([name, time]) => ({ name, share: time / busyTime })).sort((a, b) => b.share - a.share);
  return { busy: busyTime / total, parts: rank(parts), functions: rank(functions) };
};

const partOf = ({ url, functionName }: CallFrame): string => {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (dependency) return dependency;
  const own = /\/(server\/[^/]+|app)\//.exec(url)?.[1];
  if (own) return own;
  if (url.startsWith("node:"))
    return /^node:(internal\/(crypto|webstreams|deps\/undici|streams)|_?http|net|[a-z_]+)/.exec(url)?.[0] ?? "node";
  return functionName === "(garbage collector)" ? "garbage collection" : "engine and native code";
};

const placeOf = ({ url, lineNumber }: CallFrame): string => {
  const short = url.replace(/^.*\/node_modules\//, "").replace(/^file:\/\/.*?\/(server|app)\//, "$1/");
  return short ? `${short}:${lineNumber + 1}` : "";
};

/** The profile as readable text. */
export const formatProfile = (profile: { busy: number; parts: Share[]; functions: Share[] }): string => {
  const list = (shares: readonly Share[], count: number) =>
    shares.slice(0, count).map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)}%  ${name}`);
  return [
    `busy ${(profile.busy * 100).toFixed(0)}% of the time; self times as shares of the busy time`,
    ...list(profile.parts, 20),
    "",
    ...list(profile.functions, 35),
  ].join("\n");
};
