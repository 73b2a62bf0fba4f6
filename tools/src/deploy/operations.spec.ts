import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ROOT } from '../architecture-tests/workspace.js';
import { readAlerts } from './read-promql.js';

const OPERATIONS = 'docs/operations.md';
const RULE = 'deploy/k8s/overlays/production/prometheus-rule.yaml';

const alerts = readAlerts();
const text = readFileSync(join(ROOT, OPERATIONS), 'utf8');

describe('docs/operations.md', () => {
  it('says what to do when each alert fires, and of no alert that is not there', () => {
    const section = /\n## Alerts\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
    const headings = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  });

  it('leads to files and headings that exist', () => {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) =>
        link.startsWith('#')
          ? !headings.includes(link.slice(1))
          : !existsSync(join(ROOT, dirname(OPERATIONS), link.split('#')[0] ?? '')),
      );
    expect(broken).toEqual([]);
  });

  it('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

describe('the PrometheusRule of deploy/k8s', () => {
  it('has the alerts of Compose (write it again with UPDATE_GOLDENS=1)', () => {
    const rule = {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'model-gateway', labels: { 'app.kubernetes.io/part-of': 'model-gateway' } },
      spec: { groups: alerts },
    };
    if (process.env.UPDATE_GOLDENS === '1') {
      writeFileSync(join(ROOT, RULE), `# Generated from deploy/prometheus/alerts.yml.\n${stringify(rule)}`);
    }
    expect(parse(readFileSync(join(ROOT, RULE), 'utf8'))).toEqual(rule);
  });
});
