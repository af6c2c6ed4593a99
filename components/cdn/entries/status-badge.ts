import { defineStatus } from "../define-status.ts";

/** A script that is loaded as a module has no `currentScript`. */
const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/status-badge."]');

defineStatus(script?.src);
