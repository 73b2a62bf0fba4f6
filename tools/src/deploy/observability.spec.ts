import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../architecture-tests/workspace.js';
import { readCompose } from './read-compose.js';
import {
  listExpressions,
  listLabelNames,
  listMetricNames,
  readAlerts,
  readDashboards,
} from './read-promql.js';

const PORTS = {
  gateway: ENVIRONMENT.GATEWAY_PORT,
  console: ENVIRONMENT.CONSOLE_PORT,
  billing: ENVIRONMENT.BILLING_PORT,
  'video-worker': ENVIRONMENT.VIDEO_WORKER_PORT,
};

const prometheusSchema = z.looseObject({
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.object({
      job_name: z.string(),
      authorization: z.object({ credentials_file: z.string() }),
      dns_sd_configs: z.tuple([
        z.object({ names: z.tuple([z.string()]), type: z.literal('A'), port: z.number() }),
      ]),
    }),
  ),
});

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('prometheus', () => {
  const configuration = prometheusSchema.parse(parse(readText('deploy/prometheus/prometheus.yml')));

  it('asks every process of every plane, by the name and port of its service', () => {
    const found = configuration.scrape_configs.map(({ job_name, dns_sd_configs: [{ names, port }] }) => [
      job_name,
      names[0],
      String(port),
    ]);
    expect(found.sort()).toEqual(
      Object.entries(PORTS)
        .map(([plane, { defaultText }]) => [plane, plane, defaultText])
        .sort(),
    );
    const { services } = readCompose();
    for (const plane of Object.keys(PORTS)) expect(services[plane]?.networks).toContain('watch');
  });

  it('shows them the token, and reads files that are mounted', () => {
    const start = readText('deploy/prometheus/start-prometheus.sh');
    for (const { authorization } of configuration.scrape_configs) {
      expect(start).toContain(`> ${authorization.credentials_file}\n`);
    }
    expect(configuration.rule_files).toEqual(['/etc/model-gateway/alerts.yml']);
    expect(readCompose().services.prometheus?.volumes).toContain('./deploy/prometheus:/etc/model-gateway:ro');
  });
});

describe('alerts', () => {
  const rules = readAlerts().flatMap((group) => group.rules);

  it('have names of their own, and say in words what is wrong', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(rules.filter(({ annotations }) => !/^[^ ].+ .+\.$/.test(annotations.summary))).toEqual([]);
  });

  it('watch drift, holds, queues, errors and processes', () => {
    const watched = rules.flatMap(({ expr }) => listMetricNames(expr));
    expect(watched).toEqual(
      expect.arrayContaining([
        'billing_drift_rows',
        'billing_oldest_open_hold_seconds',
        'billing_journal_oldest_seconds',
        'video_oldest_due_seconds',
        'video_queue_jobs',
        'video_webhooks_waiting',
        'gateway_requests_total',
        'up',
      ]),
    );
  });
});

describe('dashboards', () => {
  it('have panels that do not overlap, from the datasource that is provisioned', () => {
    const { datasources } = z
      .object({ datasources: z.tuple([z.object({ uid: z.string(), url: z.string() })]) })
      .parse(parse(readText('deploy/grafana/provisioning/datasources/prometheus.yaml')));
    expect(datasources[0].url).toBe('http://prometheus:9090');
    for (const { title, panels } of readDashboards()) {
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
      );
      expect({ title, overlaps: cells.length - new Set(cells).size }).toEqual({ title, overlaps: 0 });
      expect([...new Set(panels.map(({ datasource }) => datasource.uid))]).toEqual([datasources[0].uid]);
    }
  });

  it('have names of their own', () => {
    const dashboards = readDashboards();
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  });
});

describe('the reader of PromQL', () => {
  it('finds metrics and labels among functions, matchers and operators', () => {
    const expression =
      'sum by (le, model) (rate(a_total{x="b_total", y=~"c|d"}[5m])) / on (model) max(e:f) > 400e6 and absent(up == 1)';
    expect(listMetricNames(expression)).toEqual(['a_total', 'e:f', 'up']);
    expect(listLabelNames(expression)).toEqual(['x', 'y', 'le', 'model']);
  });

  it('finds at least one metric in every expression in use', () => {
    expect(listExpressions().filter((expression) => listMetricNames(expression).length === 0)).toEqual([]);
  });
});
