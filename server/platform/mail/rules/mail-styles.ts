import type { CSSProperties } from "react";

const font = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const mono = "'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";

/** The light theme of app/tokens.css as hexadecimal colors: mail programs support neither oklch() nor variables. */
const light = {
  canvas: "#faf9f7",
  surface: "#ffffff",
  sunken: "#f4f3f0",
  line: "#e3e2de",
  ink: "#12161f",
  muted: "#565c68",
  accent: "#006a4f",
  accentInk: "#ffffff",
  note: "#1f5a9d",
  noteSoft: "#e7f2ff",
};

const dark: typeof light = {
  canvas: "#0e1014",
  surface: "#16191f",
  sunken: "#0a0c10",
  line: "#2c3038",
  ink: "#eceff5",
  muted: "#adb4c0",
  accent: "#5fd1ab",
  accentInk: "#06130e",
  note: "#8bbdf5",
  noteSoft: "#14263b",
};

const words: CSSProperties = { fontFamily: font, color: light.ink, overflowWrap: "anywhere" };

export const style = {
  body: { margin: 0, padding: "24px 12px", backgroundColor: light.canvas, fontFamily: font },
  card: {
    maxWidth: "600px",
    padding: "24px",
    backgroundColor: light.surface,
    border: `1px solid ${light.line}`,
    borderRadius: "16px",
  },
  brand: { ...words, margin: "0 0 24px", fontSize: "16px", lineHeight: "28px", fontWeight: 600 },
  mark: {
    display: "inline-block",
    width: "28px",
    marginRight: "10px",
    borderRadius: "8px",
    backgroundColor: light.accent,
    color: light.accentInk,
    textAlign: "center",
    fontWeight: 700,
  },
  sandbox: {
    display: "inline-block",
    marginLeft: "10px",
    padding: "0 10px",
    borderRadius: "14px",
    backgroundColor: light.noteSoft,
    color: light.note,
    fontSize: "13px",
    lineHeight: "24px",
  },
  heading: { ...words, margin: "0 0 16px", fontSize: "22px", lineHeight: "30px", fontWeight: 600 },
  text: { ...words, margin: "0 0 16px", fontSize: "16px", lineHeight: "24px" },
  code: {
    margin: "0 0 16px",
    padding: "12px 16px",
    borderRadius: "10px",
    backgroundColor: light.sunken,
    color: light.ink,
    fontFamily: mono,
    fontSize: "28px",
    lineHeight: "36px",
    fontWeight: 600,
    letterSpacing: "6px",
    textAlign: "center",
  },
  button: {
    margin: "0 0 16px",
    padding: "13px 20px",
    borderRadius: "10px",
    backgroundColor: light.accent,
    color: light.accentInk,
    fontFamily: font,
    fontSize: "16px",
    fontWeight: 600,
    textAlign: "center",
  },
  link: { color: light.accent, textDecoration: "underline" },
  list: { margin: "0 0 16px", padding: "0 0 0 20px" },
  item: { ...words, margin: "0 0 6px", fontSize: "16px", lineHeight: "24px" },
  facts: { width: "100%", margin: "0 0 16px", borderCollapse: "collapse" },
  factName: {
    padding: "4px 16px 4px 0",
    width: "32%",
    fontFamily: font,
    color: light.muted,
    fontSize: "15px",
    lineHeight: "22px",
    verticalAlign: "top",
  },
  factValue: {
    ...words,
    padding: "4px 0",
    fontSize: "15px",
    lineHeight: "22px",
    fontWeight: 600,
    verticalAlign: "top",
  },
  line: { margin: "8px 0 16px", border: 0, borderTop: `1px solid ${light.line}` },
  footer: {
    margin: "0 0 8px",
    fontFamily: font,
    color: light.muted,
    fontSize: "13px",
    lineHeight: "20px",
    overflowWrap: "anywhere",
  },
} as const satisfies Readonly<Record<string, CSSProperties>>;

/** The dark theme overrides the inline styles. @see darkQuery */
export const darkQuery = "@media (prefers-color-scheme: dark)";

export const darkStyles = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
${darkQuery} {
  .canvas, .canvas > table, .canvas td { background-color: ${dark.canvas} !important; }
  .card, .card td { background-color: ${dark.surface} !important; }
  .card { border-color: ${dark.line} !important; }
  .ink { color: ${dark.ink} !important; }
  .muted { color: ${dark.muted} !important; }
  .line { border-top-color: ${dark.line} !important; }
  .link { color: ${dark.accent} !important; }
  .mark, .button { background-color: ${dark.accent} !important; color: ${dark.accentInk} !important; }
  .sandbox { background-color: ${dark.noteSoft} !important; color: ${dark.note} !important; }
  .code { background-color: ${dark.sunken} !important; color: ${dark.ink} !important; }
}`;
