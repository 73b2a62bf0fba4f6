import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPackage, ROOT } from '../../architecture-tests/workspace.js';
import { findTool } from '../../check-tools/check-tools.mjs';
import { validateManifest } from '../kubernetes-models.js';
import type { Manifest } from '../render-kustomization.js';
import { buildChart, nameOf, readOverlay } from './chart-model.js';
import { SWITCHES, VALUES } from './chart-values.js';
import { fillChart, mergeValues } from './fill-chart.js';
import { HELM_CHART, lintChart, renderChart } from './render-chart.js';
import { writeTemplates } from './write-templates.js';
import { writeProductionValues, writeSchema, writeValues } from './write-values.js';

const PRODUCTION = join(ROOT, HELM_CHART, 'values-production.yaml');
const HELM = findTool('helm');
const OVERLAYS = ['small', 'production'] as const;

const chart = buildChart();
const generated = new Map([
  ...[...writeTemplates(chart)].map(([file, text]) => [`templates/${file}`, text] as const),
  ['values.yaml', writeValues(chart)],
  ['values-production.yaml', writeProductionValues(chart)],
  ['values.schema.json', writeSchema(chart)],
]);

/** What an overlay holds, with the Job's name as a release has it at its first install. */
function readExpected(overlay: (typeof OVERLAYS)[number]): Manifest[] {
  return sort(
    readOverlay(overlay).map((manifest) =>
      manifest.kind === 'Job'
        ? { ...manifest, metadata: { ...manifest.metadata, name: `${manifest.metadata.name}-1` } }
        : manifest,
    ),
  );
}

function sort(manifests: readonly Manifest[]): Manifest[] {
  return manifests.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

describe('the Helm chart', () => {
  it('is what the manifests say: UPDATE_GOLDENS=1 npm run test:unit -- tools/src/deploy/helm', () => {
    const folder = join(ROOT, HELM_CHART);
    if (process.env.UPDATE_GOLDENS === '1') {
      rmSync(join(folder, 'templates'), { recursive: true, force: true });
      for (const [file, text] of generated) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
    }
    for (const [file, text] of generated) {
      expect(existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '').toBe(text);
    }
    const templates = readdirSync(join(folder, 'templates')).map((file) => `templates/${file}`);
    expect(templates.filter((file) => !generated.has(file))).toEqual([]);
  });

  it.each(OVERLAYS)('holds everything of the %s overlay, and nothing else', (overlay) => {
    const values = overlay === 'small' ? chart.small : mergeValues(chart.small, chart.production);
    expect(sort(fillChart(chart, values))).toEqual(readExpected(overlay));
  });

  it('is of the version that is in package.json', () => {
    const { version } = readPackage('.') as { version?: string };
    const { name, ...file } = parse(readFileSync(join(ROOT, HELM_CHART, 'Chart.yaml'), 'utf8')) as Record<
      string,
      string
    >;
    expect({ name, version: file['version'], appVersion: file['appVersion'] }).toEqual({
      name: 'model-gateway',
      version,
      appVersion: version,
    });
  });

  it('has switches for objects that are there', () => {
    const names = chart.objects.map(({ name }) => name);
    const switched = SWITCHES.flatMap(({ on, off = [] }) => [...on, ...off]);
    expect(switched.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(VALUES.map(({ key }) => key)).size).toBe(VALUES.length);
  });
});

const waiting = HELM ? '' : ' (waits for helm: npm run lint:deploy)';
if (!HELM)
  process.stdout.write(
    'The Helm chart is compared without being rendered: there is no helm: npm run lint:deploy\n',
  );

describe.skipIf(!HELM)(`the Helm chart, rendered by Helm${waiting}`, () => {
  const render = (...parameters: string[]) => sort(renderChart(...parameters));

  it.each(OVERLAYS)('is the %s overlay, object by object', (overlay) => {
    const manifests = render(...(overlay === 'small' ? [] : ['--values', PRODUCTION]));
    expect(manifests).toEqual(readExpected(overlay));
    for (const manifest of manifests) expect(() => validateManifest(manifest)).not.toThrow();
  });

  it('passes its linter', () => {
    expect(lintChart).not.toThrow();
  });

  it('takes what an operator sets, wherever it goes', () => {
    const manifests = render(
      '--set',
      'image.registry=registry.example.com/team/,image.tag=1.2.3_RC@4,image.pullSecrets[0].name=registry',
      '--set',
      'gateway.ingress.enabled=false,gateway.replicas=3,postgres.storageClass=fast,nodeSelector.disk=ssd',
      '--set-string',
      'settings.RETENTION_LOGS_DAYS=30',
      '--set-json',
      'gateway.env=[{"name":"HTTPS_PROXY","value":"http://proxy:3128"}]',
    );
    for (const manifest of manifests) expect(() => validateManifest(manifest)).not.toThrow();
    const find = (name: string) =>
      JSON.stringify(manifests.find((manifest) => nameOf(manifest) === name) ?? null);
    const gateway = find('Deployment gateway');
    expect(gateway).toContain('"image":"registry.example.com/team/model-gateway-gateway:1.2.3_RC@4"');
    expect(gateway).toContain('"imagePullSecrets":[{"name":"registry"}]');
    expect(gateway).toContain('"replicas":3');
    expect(gateway).toContain('{"name":"HTTPS_PROXY","value":"http://proxy:3128"}');
    expect(find('Job migrate-1-2-3-rc-4-1')).toContain('"nodeSelector":{"disk":"ssd"}');
    expect(find('StatefulSet postgres')).toContain('"storageClassName":"fast"');
    expect(find('ConfigMap model-gateway')).toContain('"RETENTION_LOGS_DAYS":"30"');
    expect(find('Ingress gateway')).toBe('null');
  });

  it.each([
    ['a name that is misspelt', 'gateway.replica=3', 'replica'],
    ['a setting that is no string', 'settings.RETENTION_LOGS_DAYS=30', 'RETENTION_LOGS_DAYS'],
    ['another type', 'gateway.replicas=many', 'replicas'],
  ])('refuses %s by its name', (_what, set, name) => {
    expect(() => render('--set', set)).toThrow(name);
  });
});
