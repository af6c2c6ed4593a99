import PDFDocument from "pdfkit";
import { type Canvas, drawText, type TextStyle, textHeight, textWidth } from "./draw-text.ts";
import { loadFonts } from "./fonts/load-fonts.ts";
import type { PdfDocument, PdfSection, PdfTable } from "./pdf-document.ts";

type Page = InstanceType<typeof PDFDocument>;

const margin = 56;
const nameWidth = 170;
const colors = { ink: "#1d2433", quiet: "#5b6472", line: "#d9dde4", accent: "#0b6b54" } as const;

const styles = {
  brand: { weight: "bold", size: 11, color: colors.accent },
  title: { weight: "bold", size: 20, color: colors.ink },
  heading: { weight: "bold", size: 12, color: colors.ink },
  text: { weight: "regular", size: 10, color: colors.ink },
  quiet: { weight: "regular", size: 10, color: colors.quiet },
  frame: { weight: "regular", size: 8, color: colors.quiet },
} satisfies Record<string, TextStyle>;

/**
 * Draws a document as PDF 1.7, with its title and language for screen readers. The same content always gives the same
 * bytes. Only the drawn characters of the fonts are embedded.
 */
export const drawPdf = async (content: PdfDocument): Promise<Uint8Array> => {
  const fonts = await loadFonts(textsOf(content));
  const at = new Date(content.at);
  const page: Page = new PDFDocument({
    size: "A4",
    margin,
    bufferPages: true,
    lang: content.language,
    displayTitle: true,
    pdfVersion: "1.7",
    tagged: true,
    info: { Title: content.title, Author: content.brand, Creator: content.brand, CreationDate: at, ModDate: at },
  });
  for (const { name, bytes } of fonts.all) page.registerFont(name, bytes);
  const chunks: Uint8Array[] = [];
  page.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const done = new Promise<Uint8Array>((resolve, reject) => {
    page.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    page.on("error", reject);
  });
  const canvas = { page, fonts };
  drawHead(canvas, content);
  for (const section of content.sections) drawSection(canvas, section);
  drawFrames(canvas, content);
  page.end();
  return done;
};

const textsOf = ({ title, subtitle, banner, brand, sections, footer, pageLabel }: PdfDocument): string[] => {
  const frame = [title, subtitle, banner ?? "", brand, footer, pageLabel, "0123456789"];
  return frame.concat(sections.flatMap(textsOfSection));
};

const textsOfSection = ({ heading, rows, table }: PdfSection): string[] => {
  const cells = table ? [table.columns.map(({ label }) => label), ...table.rows, ...table.totals] : [];
  return [heading ?? "", ...rows.flat(), ...cells.flat()];
};

const innerWidth = ({ page }: Page): number => page.width - 2 * margin;

/** Draws a text over the whole width, and moves below it. */
const drawBlock = (canvas: Canvas, text: string, style: TextStyle): void => {
  const { page } = canvas;
  const box = { x: margin, y: page.y, width: innerWidth(page) };
  page.y = box.y + drawText(canvas, text, { style, box });
};

const drawHead = (canvas: Canvas, { title, subtitle, brand }: PdfDocument): void => {
  const { page } = canvas;
  drawBlock(canvas, brand, styles.brand);
  page.y += 14;
  drawBlock(canvas, title, styles.title);
  drawBlock(canvas, subtitle, styles.quiet);
  page.y += 12;
};

const drawSection = (canvas: Canvas, { heading, rows, table }: PdfSection): void => {
  const { page } = canvas;
  if (heading !== null) {
    ensureRoom(page, 60);
    page.y += 10;
    drawBlock(canvas, heading, styles.heading);
    page.y += 4;
  }
  const widths = { name: nameWidth - 12, value: innerWidth(page) - nameWidth };
  for (const [name, value] of rows) {
    const height = Math.max(
      textHeight(canvas, name, { style: styles.quiet, width: widths.name }),
      textHeight(canvas, value, { style: styles.text, width: widths.value }),
    );
    ensureRoom(page, height + 10);
    const { y } = page;
    drawLine(page, y, colors.line);
    drawText(canvas, name, { style: styles.quiet, box: { x: margin, y: y + 5, width: widths.name } });
    drawText(canvas, value, { style: styles.text, box: { x: margin + nameWidth, y: y + 5, width: widths.value } });
    page.y = y + height + 10;
  }
  if (table) drawTable(canvas, table);
};

const drawLine = (page: Page, y: number, color: string): void => {
  page
    .moveTo(margin, y)
    .lineTo(page.page.width - margin, y)
    .lineWidth(0.5)
    .strokeColor(color)
    .stroke();
};

const drawTable = (canvas: Canvas, table: PdfTable): void => {
  const { page } = canvas;
  const head = table.columns.map(({ label }) => label);
  const { size, widths } = fitTable(canvas, table);
  const draw = (cells: readonly string[], { weight, color, line }: RowLook) =>
    drawCells(canvas, table.columns, { cells, widths, line, style: { weight, size, color } });
  const headLook = { weight: "regular", color: colors.quiet, line: null } as const;
  draw(head, headLook);
  for (const cells of table.rows) {
    // The head is repeated on each page that has rows.
    if (ensureRoom(page, 40)) draw(head, headLook);
    draw(cells, { weight: "regular", color: colors.ink, line: colors.line });
  }
  for (const [index, cells] of table.totals.entries()) {
    ensureRoom(page, 30);
    draw(cells, { weight: "bold", color: colors.ink, line: index === 0 ? colors.quiet : colors.line });
  }
};

type RowLook = Pick<TextStyle, "weight" | "color"> & { line: string | null };

const cellGap = 10;
const tableSizes = { largest: 8.5, smallest: 6 };
const minimumTextShare = 0.3;

/**
 * Columns of numbers are as wide as their widest number, so that no number is broken. The columns of text share the
 * rest. If they would be too narrow, the table's font size is reduced.
 */
const fitTable = (canvas: Canvas, { columns, rows, totals }: PdfTable): { size: number; widths: number[] } => {
  const whole = innerWidth(canvas.page);
  const cells = [columns.map(({ label }) => label), ...rows, ...totals];
  const measure = (text = ""): number => textWidth(canvas, text, { ...styles.text, weight: "bold", size: 1 });
  const perSize = columns.map(({ isNumber }, index) =>
    isNumber ? Math.max(...cells.map((row) => measure(row[index]))) : 0,
  );
  const numbers = columns.filter(({ isNumber }) => isNumber).length;
  const room = (1 - minimumTextShare) * whole - numbers * cellGap;
  const fitting = room / sum(perSize);
  const size = Math.max(Math.min(fitting, tableSizes.largest), tableSizes.smallest);
  const rest = whole - sum(perSize) * size - numbers * cellGap;
  const texts = columns.length - numbers;
  return {
    size,
    widths: columns.map(({ isNumber }, index) => (isNumber ? (perSize[index] ?? 0) * size + cellGap : rest / texts)),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

type Cells = { cells: readonly string[]; widths: readonly number[]; line: string | null; style: TextStyle };

const drawCells = (canvas: Canvas, columns: PdfTable["columns"], { cells, widths, line, style }: Cells): void => {
  const { page } = canvas;
  const { y } = page;
  if (line !== null) drawLine(page, y, line);
  let x = margin;
  let height = 0;
  for (const [index, { isNumber }] of columns.entries()) {
    const width = widths[index] ?? 0;
    // Numbers have their gap on the left. A number is never broken.
    const box = isNumber ? { x, y: y + 4, width: width + 0.1, align: "right" as const } : { x, y: y + 4, width };
    height = Math.max(height, drawText(canvas, cells[index] ?? "", { style, box }));
    x += width;
  }
  page.y = y + height + 8;
};

/** @returns whether it started a new page. */
const ensureRoom = (page: Page, height: number): boolean => {
  if (page.y + height <= page.page.height - margin - 24) return false;
  page.addPage();
  return true;
};

/** Draws the banner and the footer of each page. Call it last, when the number of pages is known. */
const drawFrames = (canvas: Canvas, { banner, footer, pageLabel }: PdfDocument): void => {
  const { page } = canvas;
  const { count } = page.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    page.switchToPage(index);
    // Text below the margin would start a new page.
    page.page.margins.bottom = 0;
    const style = styles.frame;
    const width = innerWidth(page);
    if (banner !== null) drawText(canvas, banner, { style, box: { x: margin, y: 28, width, align: "right" } });
    const label = pageLabel.replace("{page}", String(index + 1)).replace("{pages}", String(count));
    const y = page.page.height - 40;
    drawText(canvas, footer, { style, box: { x: margin, y, width: width - 80 } });
    const right = page.page.width - margin - 80;
    drawText(canvas, label, { style, box: { x: right, y, width: 80, align: "right" } });
  }
};
