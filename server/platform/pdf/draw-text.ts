import type PDFDocument from "pdfkit";
import type { Fonts, Run, Weight } from "./fonts/load-fonts.ts";

type Page = InstanceType<typeof PDFDocument>;

/** A PDF document and its fonts. PDFKit draws a text in one font, so this module divides and wraps texts. */
export type Canvas = { page: Page; fonts: Fonts };

export type TextStyle = { weight: Weight; size: number; color: string };
export type TextBox = { x: number; y: number; width: number; align?: "left" | "right" };

const lineHeightOf = (size: number): number => Math.round(size * 130) / 100;
const baselineOf = (size: number): number => size * 0.97;

/** Chinese, Japanese and Korean text may be broken between characters, but not before closing punctuation. */
const breakable = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー][。、，．）」』！？ー]*/u.source;
const tokens = new RegExp(`${breakable}| +|(?:(?!${breakable}| ).)+`, "gu");

const widthOfRuns = ({ page }: Canvas, runs: readonly Run[], size: number): number =>
  runs.reduce((sum, { font, text }) => sum + page.font(font).fontSize(size).widthOfString(text), 0);

/** The width of a text without line breaks. */
export const textWidth = (canvas: Canvas, text: string, { weight, size }: TextStyle): number =>
  widthOfRuns(canvas, canvas.fonts.toRuns(text, weight), size);

const wrapText = (canvas: Canvas, text: string, { style, width }: { style: TextStyle; width: number }): string[] =>
  text.split("\n").flatMap((paragraph) => {
    const fits = (line: string): boolean => textWidth(canvas, line.trimEnd(), style) <= width;
    const lines: string[] = [];
    let line = "";
    for (const token of paragraph.match(tokens) ?? []) {
      if (fits(line + token)) {
        line += token;
        continue;
      }
      if (line.trim() !== "") lines.push(line.trimEnd());
      line = "";
      // A word that is too long for a line is broken between characters.
      for (const character of token.trimStart()) {
        if (line !== "" && !fits(line + character)) {
          lines.push(line);
          line = "";
        }
        line += character;
      }
    }
    return [...lines, line.trimEnd()];
  });

export const textHeight = (
  canvas: Canvas,
  text: string,
  { style, width }: { style: TextStyle; width: number },
): number => wrapText(canvas, text, { style, width }).length * lineHeightOf(style.size);

/** Draws a text and wraps it to the width of the box. @returns the height of all its lines */
export const drawText = (canvas: Canvas, text: string, { style, box }: { style: TextStyle; box: TextBox }): number => {
  const { page, fonts } = canvas;
  const lines = wrapText(canvas, text, { style, width: box.width });
  const height = lineHeightOf(style.size);
  for (const [index, line] of lines.entries()) {
    const runs = fonts.toRuns(line, style.weight);
    let x = box.align === "right" ? box.x + box.width - widthOfRuns(canvas, runs, style.size) : box.x;
    const y = box.y + index * height + baselineOf(style.size);
    for (const { font, text: part } of runs) {
      page.font(font).fontSize(style.size).fillColor(style.color);
      page.text(part, x, y, { lineBreak: false, baseline: "alphabetic" });
      x += page.widthOfString(part);
    }
  }
  return lines.length * height;
};
