import pretty from "pino-pretty";
import { z } from "zod";

const request = z.object({
  msg: z.enum(["request", "page"]),
  operation: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.number(),
  milliseconds: z.number(),
  background: z.boolean().optional(),
});

/** Load balancers and probes request these continuously. */
const healthOperations: readonly unknown[] = ["getHealth", "getReadiness"];

const repeatMilliseconds = 60_000;
const maxRemembered = 1_000;

type Line = Readonly<Record<string, unknown>>;

/**
 * The rows at level `info`: errors, warnings, and requests of people and programs. There are few of them, so the URLs
 * and sign-ins that `npm start` printed remain visible. The same warning is printed once a minute.
 * @param now monotonic, in milliseconds. @returns null for a line that isn't printed.
 */
export const createTerminalView = (now: () => number): ((line: Line) => Line | null) => {
  const shownAt = new Map<string, number>();

  const isRepeated = (line: Line): boolean => {
    const { time: _, requestId: __, pid: ___, ...rest } = line;
    const key = JSON.stringify(rest);
    const last = shownAt.get(key);
    if (last !== undefined && now() - last < repeatMilliseconds) return true;
    if (shownAt.size >= maxRemembered) shownAt.clear();
    shownAt.set(key, now());
    return false;
  };

  return (line) => {
    if (line["level"] === "info") return shortRequest(line);
    if (line["level"] !== "warn") return line;
    const warning = withoutStack(line);
    return isRepeated(warning) ? null : warning;
  };
};

const shortRequest = (line: Line): Line | null => {
  const parsed = request.safeParse(line);
  if (!parsed.success || parsed.data.background || healthOperations.includes(parsed.data.operation)) return null;
  const { operation, method, path, status, milliseconds } = parsed.data;
  const { level, time, environment, role } = line;
  return { level, time, environment, role, msg: `${operation ?? `${method} ${path}`} ${status}, ${milliseconds} ms` };
};

/** An expected problem is one row; errors keep their stack. */
const withoutStack = (line: Line): Line => {
  const { err, ...rest } = line;
  const message = z.object({ message: z.string() }).safeParse(err).data?.message;
  return message === undefined ? line : { ...rest, problem: message.split("\n", 1)[0] };
};

/** Readable lines with colors. At level `debug` every line is printed, with all fields except `pid`. */
export const terminalDestination = (level: string) => {
  const isWhole = level === "debug";
  const stream = pretty({
    sync: true,
    singleLine: !isWhole,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,environment,role",
    messageFormat: "{environment} {role}: {msg}",
  });
  const view = createTerminalView(() => performance.now());
  return {
    write(text: string): void {
      const line = isWhole ? null : view(JSON.parse(text) as Line);
      if (isWhole) stream.write(text);
      else if (line) stream.write(`${JSON.stringify(line)}\n`);
    },
    on: stream.on.bind(stream),
  };
};
