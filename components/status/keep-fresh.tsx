"use client";
import { useLivePage } from "../layout/use-live-page.ts";

const intervalMilliseconds = 30_000;

/** Refreshes a visible page. */
export const KeepFresh = () => {
  useLivePage(intervalMilliseconds);
  return null;
};
