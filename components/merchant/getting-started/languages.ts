import { curlSnippets } from "./snippets/curl-snippets.ts";
import { nodeSnippets } from "./snippets/node-snippets.ts";
import { paygrantSnippets } from "./snippets/paygrant-snippets.ts";
import { pythonSnippets } from "./snippets/python-snippets.ts";

export const languages = {
  node: { label: "Node (openid-client)", snippets: nodeSnippets },
  paygrant: { label: "Node (@paygrant/client)", snippets: paygrantSnippets },
  python: { label: "Python (Authlib)", snippets: pythonSnippets },
  curl: { label: "curl", snippets: curlSnippets },
} as const;

export type Language = keyof typeof languages;

export const isLanguage = (text: unknown): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);
