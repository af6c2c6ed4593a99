import PDFDocument from "pdfkit";
import type { PdfDocument, PdfSection, PdfTable } from "./pdf-document.ts";

type Page = InstanceType<typeof PDFDocument>;

const margin = 56;
const nameWidth = 170;
const colors = { ink: "#1d2433", quiet: "#5b6472", line: "#d9dde4", accent: "#0b6b54" } as const;

/** Characters of Windows-1252 outside Latin-1 that the standard fonts have. */
const alsoDrawn = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/**
 * PDF's standard fonts have the characters of Windows-1252, which include € and all letters of German. Other letters
 * lose their accents. A character that still can't be drawn becomes a question mark. The receipt as JSON has the exact
 * text.
 */
export const toDrawable = (text: string): string =>
  [...text.replaceAll(/[\u00a0\u202f\u2009]/g, " ").replaceAll("\u2212", "-")]
    .map((character) => {
      if (/[\n\x20-\x7e\u00a1-\u00ff]/.test(character) || alsoDrawn.includes(character)) return character;
      const plain = character.normalize("NFKD").replaceAll(/[^\x20-\x7e]/g, "");
      return plain === "" ? "?" : plain;
    })
    .join("");

/** Draws a document as PDF 1.7 with tags for screen readers. The same document has the same bytes. */
export const drawPdf = (content: PdfDocument): Promise<Uint8Array> => {
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
  const chunks: Uint8Array[] = [];
  page.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const done = new Promise<Uint8Array>((resolve, reject) => {
    page.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    page.on("error", reject);
  });
  drawHead(page, content);
  for (const section of content.sections) drawSection(page, section);
  drawFrames(page, content);
  page.end();
  return done;
};

const drawHead = (page: Page, { title, subtitle, brand }: PdfDocument): void => {
  page.font("Helvetica-Bold").fontSize(11).fillColor(colors.accent).text(toDrawable(brand));
  page.moveDown(1.2);
  page.font("Helvetica-Bold").fontSize(20).fillColor(colors.ink).text(toDrawable(title));
  page.font("Helvetica").fontSize(10).fillColor(colors.quiet).text(toDrawable(subtitle));
  page.moveDown(1);
};

const drawSection = (page: Page, { heading, rows, table }: PdfSection): void => {
  if (heading !== null) {
    ensureRoom(page, 60);
    page.moveDown(0.8).font("Helvetica-Bold").fontSize(12).fillColor(colors.ink).text(toDrawable(heading), margin);
    page.moveDown(0.3);
  }
  const valueWidth = page.page.width - 2 * margin - nameWidth;
  for (const [name, value] of rows) {
    const [drawnName, drawnValue] = [toDrawable(name), toDrawable(value)];
    page.font("Helvetica").fontSize(10);
    const height = Math.max(
      page.heightOfString(drawnName, { width: nameWidth - 12 }),
      page.heightOfString(drawnValue, { width: valueWidth }),
    );
    ensureRoom(page, height + 10);
    const { y } = page;
    drawLine(page, y, colors.line);
    page.fillColor(colors.quiet).text(drawnName, margin, y + 5, { width: nameWidth - 12 });
    page.fillColor(colors.ink).text(drawnValue, margin + nameWidth, y + 5, { width: valueWidth });
    page.y = y + height + 10;
    page.x = margin;
  }
  if (table) drawTable(page, table);
};

const drawLine = (page: Page, y: number, color: string): void => {
  page
    .moveTo(margin, y)
    .lineTo(page.page.width - margin, y)
    .lineWidth(0.5)
    .strokeColor(color)
    .stroke();
};

const drawTable = (page: Page, { columns, rows, totals }: PdfTable): void => {
  const head = columns.map(({ label }) => label);
  page.fontSize(8.5);
  drawCells(page, columns, { cells: head, font: "Helvetica", color: colors.quiet, line: null });
  for (const cells of rows) {
    // The head is repeated on each page.
    if (ensureRoom(page, 40))
      drawCells(page, columns, { cells: head, font: "Helvetica", color: colors.quiet, line: null });
    drawCells(page, columns, { cells, font: "Helvetica", color: colors.ink, line: colors.line });
  }
  for (const [index, cells] of totals.entries()) {
    ensureRoom(page, 30);
    const line = index === 0 ? colors.quiet : colors.line;
    drawCells(page, columns, { cells, font: "Helvetica-Bold", color: colors.ink, line });
  }
};

const cellGap = 8;

type Cells = { cells: readonly string[]; font: string; color: string; line: string | null };

const drawCells = (page: Page, columns: PdfTable["columns"], { cells, font, color, line }: Cells): void => {
  const whole = page.page.width - 2 * margin;
  page.font(font).fillColor(color);
  const drawn = cells.map(toDrawable);
  const widths = columns.map(({ width }) => width * whole - cellGap);
  const height = Math.max(...drawn.map((text, index) => page.heightOfString(text, { width: widths[index] ?? 0 })));
  const { y } = page;
  if (line !== null) drawLine(page, y, line);
  let left = margin;
  for (const [index, { width, isNumber }] of columns.entries()) {
    const align = isNumber ? "right" : "left";
    page.text(drawn[index] ?? "", isNumber ? left + cellGap : left, y + 4, { width: widths[index] ?? 0, align });
    left += width * whole;
  }
  page.y = y + height + 8;
  page.x = margin;
};

/** @returns whether it started a new page. */
const ensureRoom = (page: Page, height: number): boolean => {
  if (page.y + height <= page.page.height - margin - 24) return false;
  page.addPage();
  return true;
};

/** The banner and the footer of each page, once the number of pages is known. */
const drawFrames = (page: Page, { banner, footer, pageLabel }: PdfDocument): void => {
  const { count } = page.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    page.switchToPage(index);
    // Text below the margin would start a new page.
    page.page.margins.bottom = 0;
    page.font("Helvetica").fontSize(8).fillColor(colors.quiet);
    const width = page.page.width - 2 * margin;
    if (banner !== null) page.text(toDrawable(banner), margin, 28, { width, align: "right", lineBreak: false });
    const label = pageLabel.replace("{page}", String(index + 1)).replace("{pages}", String(count));
    const y = page.page.height - 40;
    page.text(toDrawable(footer), margin, y, { width: width - 80, lineBreak: false });
    page.text(toDrawable(label), page.page.width - margin - 80, y, { width: 80, align: "right", lineBreak: false });
  }
};
