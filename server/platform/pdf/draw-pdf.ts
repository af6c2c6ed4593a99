import PDFDocument from "pdfkit";
import type { PdfDocument, PdfSection } from "./pdf-document.ts";

type Page = InstanceType<typeof PDFDocument>;

const margin = 56;
const nameWidth = 170;
const colours = { ink: "#1d2433", quiet: "#5b6472", line: "#d9dde4", accent: "#0b6b54" } as const;

/** Characters of Windows-1252 outside Latin-1 that the standard fonts have. */
const alsoDrawn = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/**
 * PDF's standard fonts have the characters of Windows-1252, which include € and all letters of German. Other letters
 * lose their accents, and what is left becomes a question mark. The receipt as JSON has the exact text.
 */
export const toDrawable = (text: string): string =>
  [...text.replaceAll(/[\u00a0\u202f\u2009]/g, " ").replaceAll("\u2212", "-")]
    .map((character) => {
      if (/[\x20-\x7e\u00a1-\u00ff]/.test(character) || alsoDrawn.includes(character)) return character;
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
  page.font("Helvetica-Bold").fontSize(11).fillColor(colours.accent).text(toDrawable(brand));
  page.moveDown(1.2);
  page.font("Helvetica-Bold").fontSize(20).fillColor(colours.ink).text(toDrawable(title));
  page.font("Helvetica").fontSize(10).fillColor(colours.quiet).text(toDrawable(subtitle));
  page.moveDown(1);
};

const drawSection = (page: Page, { heading, rows }: PdfSection): void => {
  if (heading !== null) {
    ensureRoom(page, 60);
    page.moveDown(0.8).font("Helvetica-Bold").fontSize(12).fillColor(colours.ink).text(toDrawable(heading), margin);
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
    page
      .moveTo(margin, y)
      .lineTo(page.page.width - margin, y)
      .lineWidth(0.5)
      .strokeColor(colours.line)
      .stroke();
    page.fillColor(colours.quiet).text(drawnName, margin, y + 5, { width: nameWidth - 12 });
    page.fillColor(colours.ink).text(drawnValue, margin + nameWidth, y + 5, { width: valueWidth });
    page.y = y + height + 10;
    page.x = margin;
  }
};

const ensureRoom = (page: Page, height: number): void => {
  if (page.y + height > page.page.height - margin - 24) page.addPage();
};

/** The banner and the footer of each page, once the number of pages is known. */
const drawFrames = (page: Page, { banner, footer, pageLabel }: PdfDocument): void => {
  const { count } = page.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    page.switchToPage(index);
    // Text below the margin would start a new page.
    page.page.margins.bottom = 0;
    page.font("Helvetica").fontSize(8).fillColor(colours.quiet);
    const width = page.page.width - 2 * margin;
    if (banner !== null) page.text(toDrawable(banner), margin, 28, { width, align: "right", lineBreak: false });
    const label = pageLabel.replace("{page}", String(index + 1)).replace("{pages}", String(count));
    const y = page.page.height - 40;
    page.text(toDrawable(footer), margin, y, { width: width - 80, lineBreak: false });
    page.text(toDrawable(label), page.page.width - margin - 80, y, { width: 80, align: "right", lineBreak: false });
  }
};
