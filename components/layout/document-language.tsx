"use client";
import { useEffect } from "react";
import type { Language } from "#server/kernel/messages/languages.ts";

/** Corrects `<html lang>` after a navigation within the browser, which doesn't render the root layout again. */
export const DocumentLanguage = ({ language }: { language: Language }) => {
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return null;
};
