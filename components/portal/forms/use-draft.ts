"use client";
import { type RefObject, useEffect, useRef } from "react";
import { tabStorage } from "../../ui/tab-storage.ts";

type Draft = Record<string, string>;

const isField = (element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const read = (key: string): Draft => {
  try {
    return JSON.parse(tabStorage.read(key) ?? "{}");
  } catch {
    return {};
  }
};

/** Whether the text differs from the one in the page's HTML. */
const isTyped = (field: Element): boolean =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== field.defaultValue;

/**
 * Stores in this tab what a person typed into a form, so that a reload or a new sign-in doesn't lose it. Works for
 * uncontrolled text fields and select fields. If the key changes while the form is open, the draft moves to the new key.
 * @returns `clear`: call it after the server has accepted the form.
 */
export const useDraft = (form: RefObject<HTMLFormElement | null>, key: string): { clear: () => void } => {
  const lastKey = useRef<string | null>(null);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    // Text that was typed before the first run is newer than the draft.
    const isNewer = (field: Element) => lastKey.current === null && isTyped(field);
    const draft = read(key);
    for (const field of element.elements) {
      const kept = isField(field) ? draft[field.name] : undefined;
      if (isField(field) && kept !== undefined && !isNewer(field)) field.value = kept;
    }
    const keep = () => {
      const fields = [...new FormData(element)].filter(([, value]) => typeof value === "string");
      tabStorage.write(key, JSON.stringify(Object.fromEntries(fields)));
    };
    const old = lastKey.current;
    const isMoved = old !== null && old !== key && tabStorage.read(old) !== null;
    if (isMoved) tabStorage.remove(old);
    if (isMoved || [...element.elements].some(isNewer)) keep();
    lastKey.current = key;
    element.addEventListener("input", keep);
    element.addEventListener("change", keep);
    return () => {
      element.removeEventListener("input", keep);
      element.removeEventListener("change", keep);
    };
  }, [form, key]);
  return { clear: () => tabStorage.remove(key) };
};
