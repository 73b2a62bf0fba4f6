import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configurationFileSchema, readEnvironment } from '@mg/contract';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { listFiles, ROOT } from '../architecture-tests/workspace.js';
import { listKeys, listReferences } from './kubernetes-references.js';
import { listWorkloads, validateManifest, writeTypedManifests } from './kubernetes-models.js';
import { type Manifest, readManifests, renderKustomization } from './render-kustomization.js';

const FOLDERS = ['deploy/k8s', 'deploy/k8s/overlays/small', 'deploy/k8s/overlays/production'];
const OVERLAYS = FOLDERS.slice(1);
const PLANES = ['billing', 'console', 'gateway', 'video-worker'];
const SECRETS = 'deploy/k8s/secrets.example.yaml';
const PRODUCTION = renderKustomization('deploy/k8s/overlays/production');
const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version;

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

describe.each(FOLDERS)('%s', (folder) => {
  const manifests = renderKustomization(folder);

  it.each(manifests.map((manifest) => [nameOf(manifest), manifest] as const))(
    'has a valid %s',
    (_name, manifest) => {
      expect(() => validateManifest(manifest)).not.toThrow();
    },
  );

  it('M6: has the Console count guesses by client, not by ingress controller', () => {
    const settings = manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'model-gateway',
    );
    const { data } = settings as unknown as { data: Record<string, string> };
    expect(readEnvironment(data).TRUSTED_PROXIES).toContain('10.0.0.0/8');
    const policy = manifests.find((manifest) => nameOf(manifest) === 'NetworkPolicy console');
    const from = JSON.stringify(policy?.spec?.ingress);
    // Whoever reaches the Console is believed: nobody does but these.
    expect(from.match(/metadata.name":"[a-z-]+"/g)).toEqual([
      'metadata.name":"ingress-nginx"',
      'metadata.name":"monitoring"',
    ]);
  });

  it('says everything once, in one namespace', () => {
    const names = manifests.map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const elsewhere = manifests.filter(({ kind, metadata }) =>
      kind === 'Namespace' ? metadata.name !== 'model-gateway' : metadata.namespace !== 'model-gateway',
    );
    expect(elsewhere).toEqual([]);
  });

  it('takes from Secrets and ConfigMaps only what is there', () => {
    const there = listKeys([...manifests, ...readManifests(SECRETS)]);
    const missing = listReferences(manifests).filter(
      ({ path, optional }) => !optional && !there.some((key) => key.startsWith(path)),
    );
    expect(missing).toEqual([]);
  });

  it('selects by labels that the pods have', () => {
    const workloads = listWorkloads(manifests);
    const matches = (selector: object = {}) =>
      workloads
        .filter(({ labels }) => Object.entries(selector).every(([label, value]) => labels[label] === value))
        .map(({ name }) => name);
    for (const { kind, name, selector } of workloads) {
      expect(matches(selector)).toEqual(kind === 'Job' ? workloads.map((workload) => workload.name) : [name]);
    }
    for (const { metadata, spec } of manifests.filter((manifest) => Service.is(manifest))) {
      expect(matches(spec?.selector)).toEqual([metadata?.name]);
    }
    for (const { metadata, spec } of manifests.filter((manifest) => PodDisruptionBudget.is(manifest))) {
      expect(matches(spec?.selector?.matchLabels)).toEqual([metadata?.name]);
      expect(spec?.maxUnavailable).toBe(1);
    }
  });

  it('names the ports of Services and Ingresses as they are named', () => {
    const portNames = new Map(
      listWorkloads(manifests).map(({ name, pod }) => [
        name,
        pod.containers.flatMap(({ ports = [] }) => ports.map((port) => port.name)),
      ]),
    );
    const services = manifests.filter((manifest) => Service.is(manifest));
    for (const { metadata, spec } of services) {
      const targets = spec?.ports?.map(({ targetPort }) => targetPort);
      expect(portNames.get(metadata?.name ?? '')).toEqual(targets);
    }
    for (const { spec } of manifests.filter((manifest) => Ingress.is(manifest))) {
      for (const path of spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? []) {
        const service = services.find(({ metadata }) => metadata?.name === path.backend.service?.name);
        expect(service?.spec?.ports?.map(({ name }) => name)).toEqual([path.backend.service?.port?.name]);
      }
    }
  });

  it('keeps every plane within a budget of disruptions', () => {
    const kept = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(kept.map(({ metadata }) => metadata.name).sort()).toEqual(PLANES);
  });
});

describe('deploy/k8s, all of it', () => {
  it('has no field that its model does not know', () => {
    const cache = join(ROOT, 'tools/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'manifests-'));
    try {
      const manifests = [...FOLDERS.flatMap(renderKustomization), ...readManifests(SECRETS)];
      writeFileSync(join(folder, 'manifests.ts'), writeTypedManifests(manifests));
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const options = '--noEmit --strict --skipLibCheck --module nodenext --types node --ignoreConfig';
      const argv = [tsc, ...options.split(' '), join(folder, 'manifests.ts')];
      expect(spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  it('leaves no file aside', () => {
    const named = new Set(
      [...FOLDERS, ...listFiles('deploy/k8s', /^kustomization\.yaml$/).map((path) => dirname(path))].flatMap(
        (folder) =>
          [...readFileSync(join(ROOT, folder, 'kustomization.yaml'), 'utf8').matchAll(/[\w./-]+\.yaml/g)].map(
            ([file]) => join(folder, file),
          ),
      ),
    );
    const aside = listFiles('deploy/k8s', /\.yaml$/).filter(
      (path) => !named.has(path) && path !== SECRETS && basename(path) !== 'kustomization.yaml',
    );
    expect(aside).toEqual([]);
    expect([...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('has a template of secrets without a secret, and without one too many', () => {
    const secrets = readManifests(SECRETS);
    for (const secret of secrets) expect(() => validateManifest(secret)).not.toThrow();
    const references = new Set(
      OVERLAYS.flatMap((overlay) => listReferences(renderKustomization(overlay))).map(({ path }) => path),
    );
    expect(listKeys(secrets).filter((key) => !references.has(key))).toEqual([]);
  });

  it('begins with a configuration file that is valid', () => {
    const text = readFileSync(join(ROOT, 'deploy/k8s/console/gateway.yaml'), 'utf8');
    const file = parse(text.replaceAll(/\$\{\w+\}/g, 'sk-0123456789'));
    expect(configurationFileSchema.safeParse(file).error).toBe(undefined);
  });

  it.each(OVERLAYS)('%s runs images and a migration of this version', (overlay) => {
    const manifests = renderKustomization(overlay);
    const ours = listWorkloads(manifests).flatMap(({ pod }) =>
      pod.containers.map(({ image = '' }) => image).filter((image) => image.startsWith('model-gateway-')),
    );
    expect(ours.sort()).toEqual(
      [...PLANES, 'migrate'].sort().map((name) => `model-gateway-${name}:${VERSION}`),
    );
    const [job] = manifests.filter((manifest) => Job.is(manifest));
    expect(job?.metadata?.name).toBe(`migrate-${VERSION.replaceAll('.', '-')}`);
  });
});

describe('scaling', () => {
  const metrics = listFiles('libs/planes', /-metrics\.ts$/)
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');

  it('scales what is there, and leaves the number of its replicas to the scaler', () => {
    const scaled = PRODUCTION.flatMap((manifest) =>
      HorizontalPodAutoscaler.is(manifest) || ScaledObject.is(manifest)
        ? [manifest.spec?.scaleTargetRef?.name]
        : [],
    );
    expect(scaled.sort()).toEqual(['gateway', 'video-worker']);
    for (const manifest of PRODUCTION.filter(({ kind }) => kind === 'Deployment')) {
      expect(manifest.spec?.replicas === undefined).toBe(scaled.includes(manifest.metadata.name));
    }
  });

  it('counts calls by a metric that exists, and that prometheus-adapter is told to serve', () => {
    const names = PRODUCTION.filter((manifest) => HorizontalPodAutoscaler.is(manifest)).flatMap(
      ({ spec }) => spec?.metrics?.flatMap(({ pods }) => pods?.metric.name ?? []) ?? [],
    );
    expect(names).toHaveLength(1);
    for (const name of names) expect(metrics).toContain(`'${name}'`);
    const path = 'deploy/k8s/overlays/production/prometheus-adapter-values.yaml';
    const { rules } = z
      .object({ rules: z.object({ custom: z.array(z.object({ name: z.object({ matches: z.string() }) })) }) })
      .parse(parse(readFileSync(join(ROOT, path), 'utf8')));
    expect(rules.custom.map((rule) => rule.name.matches)).toEqual(names);
  });
});
