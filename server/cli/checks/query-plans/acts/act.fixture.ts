import type { Actors } from "./world.fixture.ts";

/** Prepares an act, and returns a function that performs it. Only the statements of this function are a hot path. */
export type Act = (actors: Actors) => Promise<() => Promise<unknown>>;

export type Acts = Readonly<Record<string, Act>>;

/** An act that needs no preparation. */
export const at =
  (run: (actors: Actors) => Promise<unknown>): Act =>
  async (actors) =>
  () =>
    run(actors);
