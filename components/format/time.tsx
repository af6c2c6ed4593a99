import { formatFullDateTime, formatRelativeDateTime, formatRelativeInSentence } from "./dates.ts";
import type { Reader } from "./reader.ts";

type Props = { at: string; now: Date; reader: Reader; isInSentence?: boolean };

/** `Today, 09:12 CET`, with the exact time for machines and in the tooltip. @param at RFC 3339 */
export const Time = ({ at, now, reader, isInSentence = false }: Props) => {
  const instant = new Date(at);
  const formatRelative = isInSentence ? formatRelativeInSentence : formatRelativeDateTime;
  return (
    <time dateTime={instant.toISOString()} title={formatFullDateTime(instant, reader)}>
      {formatRelative(instant, now, reader)}
    </time>
  );
};
