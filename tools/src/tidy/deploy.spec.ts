import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENVIRONMENT } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listFiles, ROOT } from './workspace.js';

const PLANES = ['billing', 'console', 'gateway', 'video-worker'];
const PORTS = {
  billing: 'BILLING_PORT',
  console: 'CONSOLE_PORT',
  gateway: 'GATEWAY_PORT',
  'video-worker': 'VIDEO_WORKER_PORT',
} as const;

/** Variables of the containers that are not the product's own: those the YAML file names. */
const FOREIGN = /^ADMIN_PASSWORD$|^FIRST_API_KEY$|_API_KEY$/;

const deploymentSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            command: z.array(z.string()),
            ports: z.tuple([z.object({ containerPort: z.number() })]),
            env: z.array(z.object({ name: z.string() })),
            readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz') }) }),
            livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/healthz') }) }),
          }),
        ]),
      }),
    }),
  }),
});

function readYaml(path: string): unknown {
  return parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true });
}

function listUnknownVariables(names: readonly string[]): string[] {
  return names.filter((name) => !(name in ENVIRONMENT) && !FOREIGN.test(name));
}

function mainOf(plane: string): string[] {
  return ['node', `dist/apps/${plane}/main.js`];
}

describe('deploy/k8s', () => {
  it.each(PLANES)('runs %s by its own main, with probes and variables that exist', (plane) => {
    const deployment = deploymentSchema.parse(readYaml(`deploy/k8s/${plane}/deployment.yaml`));
    const [container] = deployment.spec.template.spec.containers;
    expect(container.command).toEqual(mainOf(plane));
    expect(container.ports[0].containerPort).toBe(
      Number(ENVIRONMENT[PORTS[plane as keyof typeof PORTS]].defaultText),
    );
    expect(listUnknownVariables(container.env.map(({ name }) => name))).toEqual([]);
  });

  it('is applied whole: every resource that a kustomization names is there', () => {
    const missing = listFiles('deploy/k8s', /^kustomization\.yaml$/).flatMap((path) => {
      const { resources } = z.object({ resources: z.array(z.string()) }).parse(readYaml(path));
      return resources
        .map((name) => join(dirname(path), name))
        .filter((file) => !existsSync(join(ROOT, file)));
    });
    expect(missing).toEqual([]);
  });
});
