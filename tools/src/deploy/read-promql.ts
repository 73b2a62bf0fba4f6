import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../architecture-tests/workspace.js';

const ALERTS = 'deploy/prometheus/alerts.yml';
const DASHBOARDS = 'deploy/grafana/dashboards';

const alertsSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

const dashboardSchema = z.looseObject({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      datasource: z.object({ uid: z.string() }),
      targets: z.array(z.object({ expr: z.string() })).min(1),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
    }),
  ),
});

export type AlertGroup = z.output<typeof alertsSchema>['groups'][number];
export type Dashboard = z.output<typeof dashboardSchema>;

export function readAlerts(): readonly AlertGroup[] {
  return alertsSchema.parse(parse(readFileSync(join(ROOT, ALERTS), 'utf8'))).groups;
}

export function readDashboards(): readonly Dashboard[] {
  return readdirSync(join(ROOT, DASHBOARDS)).map((name) =>
    dashboardSchema.parse(JSON.parse(readFileSync(join(ROOT, DASHBOARDS, name), 'utf8'))),
  );
}

/** Every expression of the alerts and of the dashboards. */
export function listExpressions(): string[] {
  return [
    ...readAlerts().flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...readDashboards().flatMap(({ panels }) =>
      panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ),
  ];
}

/** What stands in an expression without being a metric: strings, matchers, ranges, lists of labels, operators, functions. */
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const MATCHERS = /\{[^{}]*\}|\[[^[\]]*\]/g;
const LABEL_LISTS = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)/g;
const OPERATORS = /\b(?:and|or|unless|bool|offset)\b/g;
const NUMBERS = /(?<![\w:])\d[\d.e]*/g;
const METRIC = /[a-zA-Z_:][\w:]*(?!\w*\s*\()/g;

/** Names of the metrics that an expression of PromQL asks for. */
export function listMetricNames(expression: string): string[] {
  const bare = [STRINGS, MATCHERS, LABEL_LISTS, OPERATORS, NUMBERS].reduce(
    (text, pattern) => text.replaceAll(pattern, ' '),
    expression,
  );
  return [...new Set(bare.match(METRIC))];
}

/** Names of the labels that an expression matches or groups by. */
export function listLabelNames(expression: string): string[] {
  const bare = expression.replaceAll(STRINGS, '""');
  const matched = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)].map(([, name = '']) => name);
  const grouped = [...bare.matchAll(/\b(?:by|without)\s*\(([^()]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  return [...new Set([...matched, ...grouped])];
}
