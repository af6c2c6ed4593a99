import type { Db } from "../../data/client.ts";
import type { DayFigures } from "../rules/board.ts";
import { isComponentKey } from "../rules/components.ts";
import { findBrokenDay } from "../rules/uptime/days.ts";

/** @returns for each component the first frozen day that was altered or breaks the hash chain, as `component: date`. */
export const findBrokenDays = async ({ prisma }: Pick<Db, "prisma">): Promise<string[]> => {
  const rows = await prisma.componentDay.findMany({ orderBy: [{ component: "asc" }, { day: "asc" }] });
  const days = rows.flatMap(({ component, figures, ...row }) =>
    isComponentKey(component) ? [{ ...row, component, figures: figures as DayFigures }] : [],
  );
  return [...Map.groupBy(days, ({ component }) => component).values()].flatMap((ofOne) => {
    const broken = findBrokenDay(ofOne);
    return broken ? [`${broken.component}: ${broken.day.toISOString().slice(0, 10)}`] : [];
  });
};
