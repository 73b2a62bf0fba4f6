import type { ReactElement } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { UsagePoint } from '../../api/console-api.js';
import { Card } from '../../components/card.js';
import { useCount } from '../../components/use-count.js';
import { useTimeZone } from '../../layout/time-zone.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { niceTicks } from './nice-ticks.js';
import { type ChartPoint, toChartPoints, type UsagePeriod } from './usage-period.js';

const AXIS = {
  stroke: 'var(--color-line)',
  tick: { fill: 'var(--color-muted)', fontSize: 11 },
  tickLine: false,
} as const;

/** Of every chart, so that those below each other begin at one line. */
const AXIS_WIDTH = 64;
const LEGEND_HEIGHT = 24;
const MARGIN = { top: 5, right: 5, bottom: 0, left: 5 };
/** Below an axis with days: as little room as its words take, and so much that they do not touch the lowest figure beside them. */
const TIMES = { dataKey: 'time', height: 28, tickMargin: 8, minTickGap: 24 } as const;

const TOOLTIP = {
  contentStyle: {
    background: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: 8,
    fontSize: 12,
  },
  isAnimationActive: false,
} as const;

interface ChartsProps {
  readonly points: readonly UsagePoint[];
  readonly period: UsagePeriod;
}

interface ChartProps {
  readonly rows: readonly ChartPoint[];
}

export default function Charts({ points, period }: ChartsProps) {
  const { overview: messages } = useMessages();
  const timeZone = useTimeZone();
  const rows = toChartPoints(points, period, Date.now(), useLanguage());
  const zone = period.bucket === 'day' ? messages.daysIn('UTC') : messages.hoursIn(timeZone);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title={messages.spendOverTime} note={zone}>
        <SpendChart rows={rows} />
      </Card>
      <Card title={messages.callsOverTime} note={zone}>
        <CallsChart rows={rows} />
      </Card>
      <Card title={messages.latency} note={messages.latencyText} className="lg:col-span-2">
        <LatencyChart rows={rows} />
      </Card>
    </div>
  );
}

/** An axis of round figures, from nothing to the largest value. */
function scaleTo(values: readonly (number | null)[], isWhole = false) {
  const ticks = niceTicks(Math.max(0, ...values.map((value) => value ?? 0)), isWhole);
  return { ticks, domain: [0, ticks.at(-1) ?? 0] as [number, number], interval: 0 } as const;
}

function SpendChart({ rows }: ChartProps) {
  const { overview: messages } = useMessages();
  const count = useCount();
  return (
    <Frame name={messages.spendOverTime}>
      <BarChart data={rows} margin={MARGIN}>
        {GRID}
        <XAxis {...TIMES} {...AXIS} />
        <YAxis
          {...AXIS}
          {...scaleTo(rows.map(({ spend }) => spend))}
          width={AXIS_WIDTH}
          tickFormatter={(value: number) => `$${count(value)}`}
        />
        <Tooltip {...TOOLTIP} cursor={CURSOR} formatter={showCost} />
        <Bar dataKey="spend" name={messages.spend} fill="var(--color-series)" isAnimationActive={false} />
      </BarChart>
    </Frame>
  );
}

function CallsChart({ rows }: ChartProps) {
  const { overview: messages } = useMessages();
  const count = useCount();
  const compact = new Intl.NumberFormat(useLanguage(), { notation: 'compact' });
  const bars = [
    ['succeeded', messages.successful, 'var(--color-series)'],
    ['clientErrors', messages.clientFailed, 'var(--color-series-warn)'],
    ['serverErrors', messages.serverFailed, 'var(--color-bad)'],
    ['unclassifiedErrors', messages.unclassifiedFailed, 'var(--color-muted)'],
  ] as const;
  // Only of the time before an upgrade.
  const drawn = bars.filter(([key]) => key !== 'unclassifiedErrors' || rows.some((row) => row[key] > 0));
  return (
    <Frame name={messages.callsOverTime}>
      <BarChart data={rows} margin={MARGIN}>
        {GRID}
        <XAxis {...TIMES} {...AXIS} />
        <YAxis
          {...AXIS}
          {...scaleTo(
            rows.map((row) => bars.reduce((calls, [key]) => calls + row[key], 0)),
            true,
          )}
          width={AXIS_WIDTH}
          tickFormatter={(value: number) => compact.format(value)}
        />
        <Tooltip {...TOOLTIP} cursor={CURSOR} formatter={(value) => count(Number(value))} />
        <Legend {...LEGEND} />
        {drawn.map(([key, name, fill]) => (
          <Bar key={key} dataKey={key} name={name} stackId="calls" fill={fill} isAnimationActive={false} />
        ))}
      </BarChart>
    </Frame>
  );
}

function LatencyChart({ rows }: ChartProps) {
  const { overview: messages } = useMessages();
  const count = useCount();
  const lines = [
    ['p50', messages.latencyP50, 'var(--color-series)'],
    ['p95', messages.latencyP95, 'var(--color-series-warn)'],
    ['ttftP50', messages.ttftP50, 'var(--color-series-second)'],
  ] as const;
  // A series without points is left out of the legend.
  const drawn = lines.filter(([key]) => rows.some((row) => row[key] !== null));
  return (
    <Frame name={messages.latency}>
      <LineChart data={rows} margin={MARGIN}>
        {GRID}
        {/* As of bars, so that a day stands at the same place in every chart. */}
        <XAxis {...TIMES} {...AXIS} scale="band" />
        <YAxis
          {...AXIS}
          {...scaleTo(rows.flatMap(({ p50, p95, ttftP50 }) => [p50, p95, ttftP50]))}
          width={AXIS_WIDTH}
          tickFormatter={(value: number) => `${count(value)} ms`}
        />
        <Tooltip {...TOOLTIP} formatter={(value) => `${count(Number(value))} ms`} />
        <Legend {...LEGEND} />
        {drawn.map(([key, name, stroke]) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={stroke}
            strokeWidth={2}
            dot={{ r: 2 }}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </Frame>
  );
}

/** The height of a bar is rounded; what is said about it is not. */
function showCost(_height: unknown, _name: unknown, { payload }: { readonly payload?: ChartPoint }): string {
  return showUsd(payload?.cost ?? '0');
}

const CURSOR = { fill: 'var(--color-raised)' };

const LEGEND = {
  height: LEGEND_HEIGHT,
  // As they are drawn, and not by their names.
  itemSorter: null,
  wrapperStyle: { fontSize: 12 },
  iconType: 'circle',
  iconSize: 8,
  formatter: (name: string) => <span className="text-muted">{name}</span>,
} as const;

const GRID = <CartesianGrid stroke="var(--color-line)" strokeDasharray="3 3" vertical={false} />;

function Frame({ name, children }: { readonly name: string; readonly children: ReactElement }) {
  return (
    <div role="img" aria-label={name} className="h-56">
      <ResponsiveContainer width="100%" height="100%">
        {children}
      </ResponsiveContainer>
    </div>
  );
}
