const paths = {
  check: "M5 12.5l4.5 4.5L19 7",
  warning: "M12 8.5v5M12 17v.1M12 3.5l9.5 17h-19z",
  info: "M12 11v6M12 7.2v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  shop: "M3 9l1.5-5h15L21 9M4 9v11h16V9M9 20v-6h6v6",
  calendar: "M3 10h18M8 3v4M16 3v4M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z",
  shield: "M12 3l8 4v5c0 5-3.4 8-8 9-4.6-1-8-4-8-9V7z",
  clock: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
  away: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c.8-4 3.8-6 7.5-6M16 18h6",
  refund: "M4 9h11a5 5 0 0 1 0 10h-4M4 9l4-4M4 9l4 4",
  card: "M3 9h18M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM7 15h3",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3.2 3 14.8 0 18M12 3c-3 3.2-3 14.8 0 18",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  right: "M5 12h14M13 6l6 6-6 6",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  list: "M8 6h12M8 12h12M8 18h12M4 6v.1M4 12v.1M4 18v.1",
  grant: "M4 6h16v12H4zM8 12l2.5 2.5L16 9",
  key: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l8.5-8.5M16 6.5l3 3M19 3.5l2 2",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  bot: "M5 9h14v10H5zM12 9V5M9 13v.1M15 13v.1M9 16h6",
} as const;

export type IconName = keyof typeof paths;

/** Decoration next to a text with the same meaning, so it is hidden from screen readers. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
