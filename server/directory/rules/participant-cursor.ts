/** A position in the list of participants, which is sorted by the last change. */
type Place = { updatedAt: Date; id: string };

export const toCursor = ({ updatedAt, id }: Place): string =>
  Buffer.from(`${updatedAt.getTime()} ${id}`).toString("base64url");

/** @returns null if the text isn't a cursor of the list. */
export const readCursor = (cursor: string): Place | null => {
  const { milliseconds, id } =
    /^(?<milliseconds>\d{1,15}) (?<id>ptc_\w{1,60})$/.exec(Buffer.from(cursor, "base64url").toString())?.groups ?? {};
  return milliseconds === undefined || id === undefined ? null : { updatedAt: new Date(Number(milliseconds)), id };
};
