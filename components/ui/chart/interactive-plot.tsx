"use client";
import { useLayoutEffect, useRef, useState } from "react";
import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, type TooltipContentProps, XAxis, YAxis } from "recharts";
import styles from "./chart.module.css";
import { geometry, type Plot, type PlotSeries, seriesColors } from "./plot.ts";

const { height, top, axisHeight, axisWidth } = geometry;

/** The drawing with a tooltip. The table has the same numbers for the keyboard and for screen readers. */
export const InteractivePlot = ({ plot }: { plot: Plot }) => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className={styles.live}>
      {width > 0 ? <Drawing plot={plot} width={width} /> : null}
    </div>
  );
};

const Drawing = ({ plot, width }: { plot: Plot; width: number }) => {
  const { rows, ticks, labelled, series } = plot;
  const texts = new Map(ticks.map(({ value, text }) => [value, text]));
  return (
    <ComposedChart
      width={width}
      height={height}
      data={rows.map(({ values }, index) => ({ index, ...values }))}
      margin={{ top, right: 0, bottom: 0, left: 0 }}
      barCategoryGap="15%"
      barGap={geometry.barGap}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="index"
        scale="band"
        ticks={[...labelled]}
        interval={0}
        height={axisHeight}
        tickFormatter={(index: number) => rows[index]?.label ?? ""}
        tickLine={false}
        axisLine={false}
        tick={{ className: styles.tick ?? "" }}
      />
      <YAxis
        width={axisWidth}
        domain={[0, ticks.at(-1)?.value ?? 1]}
        ticks={ticks.map(({ value }) => value)}
        interval={0}
        tickFormatter={(value: number) => texts.get(value) ?? ""}
        tickLine={false}
        axisLine={false}
        tick={{ className: styles.tick ?? "" }}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: "var(--sunken)", stroke: "var(--line)" }}
        content={(props) => <TooltipText {...props} plot={plot} />}
      />
      {series.map((one, index) => drawSeries(one, index, plot))}
    </ComposedChart>
  );
};

/** A function, not a component, because the chart finds bars and lines only among its direct children. */
const drawSeries = ({ name, look }: PlotSeries, index: number, { shape, isStacked }: Plot) => {
  const shared = { dataKey: String(index), isAnimationActive: false };
  if (shape === "bars") {
    return <Bar key={name} {...shared} fill={seriesColors[look]} {...(isStacked && { stackId: "all" })} />;
  }
  const dashes = look === "quiet" ? { strokeDasharray: "4 4" } : {};
  return <Line key={name} {...shared} stroke={seriesColors[look]} strokeWidth={2} dot={false} {...dashes} />;
};

const TooltipText = ({ active, label, plot }: Pick<TooltipContentProps, "active" | "label"> & { plot: Plot }) => {
  const row = plot.rows[Number(label)];
  if (!active || !row) return null;
  return (
    <div className={styles.tooltip}>
      <b>{row.label}</b>
      {plot.series.map(({ name, look }, index) => (
        <span key={name} className={styles.entry}>
          <i className={styles[look]} />
          {name}
          <span className="num">{row.texts[index]}</span>
        </span>
      ))}
    </div>
  );
};
