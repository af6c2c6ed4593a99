export type BadgeState = "operational" | "degraded" | "partial_outage" | "major_outage" | "maintenance" | "unknown";

/** Label and colour of each state. The label is white on the colour, with a contrast of 4.5:1 or more (WCAG 1.4.3). */
const looks: Readonly<Record<BadgeState, { label: string; color: string }>> = {
  operational: { label: "Operational", color: "#0a6b35" },
  degraded: { label: "Degraded", color: "#7f5000" },
  partial_outage: { label: "Partial outage", color: "#b3261e" },
  major_outage: { label: "Major outage", color: "#b3261e" },
  maintenance: { label: "Maintenance", color: "#1f5da8" },
  unknown: { label: "Unknown", color: "#535962" },
};

export const badgeLabel = (state: BadgeState): string => looks[state].label;

const height = 24;
const padding = 9;

/** The approximate width of text at 12 px. `textLength` makes every system font fit this width. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.6);

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const text = (words: string, x: number): string =>
  `<text x="${x}" y="16" textLength="${widthOf(words)}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`;

/** A badge with two fields, as an SVG that needs neither scripts nor style sheets. */
export const drawBadge = ({ name, state }: { name: string; state: BadgeState }): string => {
  const { label, color } = looks[state];
  const left = widthOf(name) + 2 * padding;
  const width = left + widthOf(label) + 2 * padding;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(`${name}: ${label}`)}</title>`,
    `<clipPath id="shape"><rect width="${width}" height="${height}" rx="6"/></clipPath>`,
    `<g clip-path="url(#shape)"><rect width="${left}" height="${height}" fill="#151b24"/>`,
    `<rect x="${left}" width="${width - left}" height="${height}" fill="${color}"/></g>`,
    `<g fill="#fff" font-family="Inter,system-ui,sans-serif" font-size="12" font-weight="600">`,
    text(name, padding),
    text(label, left + padding),
    "</g></svg>",
  ].join("");
};
