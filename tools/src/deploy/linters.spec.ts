import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';
import { findTool, type ToolName } from '../check-tools/check-tools.mjs';
import { renderKustomization } from './render-kustomization.js';

/** What kube-score asks for and we do otherwise. */
const DECIDED_OTHERWISE = {
  // A tag of a version is never moved.
  'container-image-pull-policy': true,
  // The images' own users, who own nothing on a node.
  'container-security-context-user-group-id': true,
  // Roots are read-only and volumes limited; a gateway that was evicted would lose usage that waits in its volume.
  'container-ephemeral-storage-request-and-limit': true,
  // Postgres and Redis have one question that says both, asked with other patience.
  'pod-probes-identical': true,
  // One pod each, reached by a Service of its own; a Service cannot become headless by an upgrade.
  'statefulset-has-servicename': true,
  // Topology spread constraints say it, by node and by zone.
  'deployment-has-host-podantiaffinity': true,
};

interface Linter {
  readonly name: ToolName;
  readonly what: string;
  readonly parameters: readonly string[];
  /** What it reads from its standard input. */
  readonly input?: () => string;
}

const LINTERS: readonly Linter[] = [
  { name: 'hadolint', what: 'the Dockerfile', parameters: ['deploy/docker/Dockerfile'] },
  {
    name: 'promtool',
    what: 'the alerts',
    parameters: ['check', 'rules', '--lint=all', '--lint-fatal', 'deploy/prometheus/alerts.yml'],
  },
  {
    name: 'promtool',
    what: "Prometheus's configuration",
    parameters: ['check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yml'],
  },
  ...['small', 'production'].map((overlay) => ({
    name: 'kube-score' as const,
    what: `the ${overlay} overlay`,
    // No limit of CPU: it would slow calls down while the node has time to spare.
    parameters: [
      'score',
      '--output-format=ci',
      '--kubernetes-version=v1.30',
      '--ignore-container-cpu-limit',
      `--ignore-test=${Object.keys(DECIDED_OTHERWISE).join(',')}`,
      '-',
    ],
    input: () =>
      renderKustomization(`deploy/k8s/overlays/${overlay}`)
        .map((manifest) => JSON.stringify(manifest))
        .join('\n---\n'),
  })),
];

describe.each(LINTERS)('$name', ({ name, what, parameters, input }) => {
  const program = findTool(name);
  const waiting = program ? '' : ` (waits for ${name}: npm run lint:deploy)`;
  if (!program) process.stdout.write(`${what}: not linted, there is no ${name}: npm run lint:deploy\n`);

  it.skipIf(!program)(`finds nothing in ${what}${waiting}`, () => {
    const { status, stdout, stderr } = spawnSync(program ?? '', parameters, {
      cwd: ROOT,
      encoding: 'utf8',
      input: input?.() ?? '',
    });
    const found = stdout.split('\n').filter((line) => line.startsWith('[CRITICAL]'));
    expect({ found, text: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ found: [], text: '' });
  });
});
