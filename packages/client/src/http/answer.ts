/** A complete response. */
export type Answer = { status: number; headers: Headers; text: string };
