/** A stream like process.stdout. */
export type Output = { isTTY?: boolean; columns?: number; rows?: number; write(text: string): unknown };

export type Display = {
  /** Prints text above the block. The text must end with a line feed. */
  print(text: string): void;
  /** Draws the block again. */
  refresh(): void;
  /** Removes the block for good. */
  close(): void;
};

/** Keeps a block of lines at the end of a terminal's output and redraws it in place. */
export const createBlockDisplay = (output: Output, makeBlock: () => string[]): Display => {
  let drawnLines = 0;
  let isClosed = false;

  /** Moves the cursor to the start of the block and deletes to the end of the screen. */
  const erase = (): string => (drawnLines === 0 ? "" : `\x1b[${drawnLines}A\r\x1b[J`);

  const draw = (): string => {
    // Lines that wrap and blocks that scroll can't be erased, so both are cut. Some terminals report a size of 0.
    const columns = (output.columns || 80) - 1;
    const rows = Math.max(1, (output.rows || 24) - 2);
    const lines = isClosed ? [] : makeBlock().slice(-rows);
    drawnLines = lines.length;
    return lines.map((line) => `${line.slice(0, columns)}\n`).join("");
  };

  // One write, so that a terminal shows no empty block in between.
  const redraw = (text: string) => output.write(`${erase()}${text}${draw()}`);
  return {
    print: redraw,
    refresh: () => redraw(""),
    close() {
      isClosed = true;
      redraw("");
    },
  };
};
