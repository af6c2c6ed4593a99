import { formatFullDateTime, formatRelativeDateTime } from "./dates.ts";
import type { Reader } from "./reader.ts";

/** `Today, 09:12 CET`, with the exact time for machines and in the tooltip. @param at RFC 3339 */
export const Time = ({ at, now, reader }: { at: string; now: Date; reader: Reader }) => {
  const instant = new Date(at);
  return (
    <time dateTime={instant.toISOString()} title={formatFullDateTime(instant, reader)}>
      {formatRelativeDateTime(instant, now, reader)}
    </time>
  );
};
