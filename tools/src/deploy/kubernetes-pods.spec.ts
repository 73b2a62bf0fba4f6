import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT, type EnvironmentName, readEnvironment } from '@mg/contract';
import { Deployment } from 'kubernetes-models/apps/v1';
import { ConfigMap, type IContainer, type IProbe, Namespace, Secret } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';
import { listWorkloads, type Workload } from './kubernetes-models.js';
import { readCompose } from './read-compose.js';
import { type Manifest, readManifests, renderKustomization } from './render-kustomization.js';

const OVERLAYS = ['deploy/k8s/overlays/small', 'deploy/k8s/overlays/production'];
const PORTS: Readonly<Record<string, EnvironmentName>> = {
  billing: 'BILLING_PORT',
  console: 'CONSOLE_PORT',
  gateway: 'GATEWAY_PORT',
  'video-worker': 'VIDEO_WORKER_PORT',
};
const PLANES = Object.keys(PORTS);

/** Variables that the configuration file names, and provider keys that make a channel appear. */
const NAMED_BY_CONFIGURATION = /^ADMIN_PASSWORD$|_API_KEY$/;

/** What a plane still does after its drain: give back what it holds, close its connections. */
const CLOSING_MARGIN_SECONDS = 10;
/** How long the announcement that a pod is going may take to every proxy of the cluster. */
const ENDPOINT_REMOVAL_SECONDS = 5;
/** A gateway with a thousand streams and no bodies, as the bench measures it, and as much again for what is not measured. */
const GATEWAY_WITHOUT_BODIES_MIB = 600;

const { services } = readCompose();
const secrets = readManifests('deploy/k8s/secrets.example.yaml').filter((manifest) => Secret.is(manifest));

function mainContainer({ name, pod }: Workload): IContainer {
  const [container, ...others] = pod.containers;
  if (!container || others.length > 0) throw new Error(`${name} should have one container.`);
  return container;
}

/** What a process of the container finds in its environment, with the secrets of the template. */
function environmentOf(workload: Workload, manifests: readonly Manifest[]): Record<string, string> {
  const { env = [], envFrom = [] } = mainContainer(workload);
  const maps = manifests.filter((manifest) => ConfigMap.is(manifest));
  const shared = envFrom.flatMap(({ configMapRef }) =>
    Object.entries(maps.find(({ metadata }) => metadata?.name === configMapRef?.name)?.data ?? {}),
  );
  const own = env.map(({ name, value, valueFrom }) => {
    const { name: secretName, key = '' } = valueFrom?.secretKeyRef ?? {};
    const secret = secrets.find(({ metadata }) => metadata?.name === secretName);
    return [name, value ?? secret?.stringData?.[key] ?? ''];
  });
  return Object.fromEntries([...shared, ...own]) as Record<string, string>;
}

/** What an app's main asks for. */
function requiredBy(app: string): EnvironmentName[] {
  const main = readFileSync(join(ROOT, `apps/${app}/src/main.ts`), 'utf8');
  const [, list = ''] = /required: \[([^\]]*)\]/.exec(main) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name as EnvironmentName);
}

function toMebibytes(quantity: string | number | undefined): number {
  const [, figure = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(String(quantity)) ?? [];
  return Number(figure) * (unit === 'Gi' ? 1_024 : 1);
}

const patienceSeconds = (probe: IProbe | undefined) =>
  (probe?.periodSeconds ?? 10) * (probe?.failureThreshold ?? 3);

describe.each(OVERLAYS)('pods of %s', (overlay) => {
  const manifests = renderKustomization(overlay);
  const workloads = listWorkloads(manifests);
  const isOurs = ({ name }: Workload) => PLANES.includes(name) || name.startsWith('migrate');
  const appOf = ({ labels }: Workload) => labels['app.kubernetes.io/name'] ?? '';
  const planes = workloads.filter(({ name }) => PLANES.includes(name));
  const each = (list: readonly Workload[]) => list.map((workload) => [appOf(workload), workload] as const);

  it.each(each(workloads))('%s satisfies the restricted level of Pod Security', (_app, workload) => {
    const { pod } = workload;
    const { securityContext = {} } = mainContainer(workload);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.securityContext?.runAsUser).toBeGreaterThan(0);
    expect(pod.securityContext?.fsGroup).toBe(pod.securityContext?.runAsUser);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'ephemeralContainers']) {
      expect(pod).not.toHaveProperty(key);
    }
    const kinds = (pod.volumes ?? []).flatMap((volume) =>
      Object.keys(volume).filter((key) => key !== 'name'),
    );
    expect(kinds.filter((kind) => !['configMap', 'emptyDir'].includes(kind))).toEqual([]);
  });

  it('demands that level of every pod of the namespace', () => {
    const [namespace] = manifests.filter((manifest) => Namespace.is(manifest));
    expect(namespace?.metadata?.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    });
  });

  it.each(each(workloads))('%s has an account of its own that opens nothing', (app, { pod }) => {
    expect(pod.serviceAccountName).toBe(app);
    const account = manifests.find(
      ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === app,
    );
    expect(account).toHaveProperty('automountServiceAccountToken', false);
  });

  it.each(each(workloads))(
    '%s asks for memory, processor and disk, and is bounded in memory',
    (_app, workload) => {
      const { requests = {}, limits = {} } = mainContainer(workload).resources ?? {};
      expect(Object.keys(requests).sort()).toEqual(['cpu', 'ephemeral-storage', 'memory']);
      expect(Object.keys(limits)).toEqual(['memory']);
      expect(toMebibytes(limits.memory)).toBeGreaterThanOrEqual(toMebibytes(requests.memory));
    },
  );

  it.each(each(workloads.filter(isOurs)))('%s runs what compose runs', (app, workload) => {
    const service = services[app];
    const container = mainContainer(workload);
    expect(container.command).toEqual(service?.command);
    expect(container.image?.split(':')[0]).toBe(service?.image.split(':')[0]);
    const given = Object.keys(environmentOf(workload, manifests));
    const needed = Object.keys(service?.environment ?? {}).filter((name) => !name.endsWith('_API_KEY'));
    expect(needed.filter((name) => !given.includes(name))).toEqual([]);
  });

  it.each(each(workloads.filter((workload) => !isOurs(workload))))(
    '%s is what compose runs',
    (app, workload) => {
      const service = services[app];
      const container = mainContainer(workload);
      expect(container.image).toBe(service?.image);
      expect(container.command).toEqual(service?.command);
      const given = Object.keys(environmentOf(workload, manifests));
      expect(given.sort()).toEqual(Object.keys(service?.environment ?? {}).sort());
    },
  );

  it.each(each(workloads.filter(isOurs)))(
    '%s accepts its environment, with nothing unknown',
    (app, workload) => {
      const environment = environmentOf(workload, manifests);
      const unknown = Object.keys(environment).filter(
        (name) => !(name in ENVIRONMENT) && !NAMED_BY_CONFIGURATION.test(name),
      );
      expect(unknown).toEqual([]);
      expect(() => readEnvironment(environment, requiredBy(app))).not.toThrow();
    },
  );

  it.each(each(workloads.filter(isOurs)))('%s sees no secret of another plane', (app, workload) => {
    const names = (mainContainer(workload).env ?? []).flatMap(
      ({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [],
    );
    const allowed = [`model-gateway-${app}`, 'model-gateway-metrics'];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it.each(each(planes))(
    '%s is asked whether it lives and whether it can serve at its own port',
    (app, workload) => {
      const container = mainContainer(workload);
      const port = Number(ENVIRONMENT[PORTS[app] ?? 'GATEWAY_PORT'].defaultText);
      expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
      const { startupProbe, livenessProbe, readinessProbe } = container;
      expect(startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect(patienceSeconds(startupProbe)).toBeGreaterThanOrEqual(300);
      expect(patienceSeconds(livenessProbe)).toBeGreaterThanOrEqual(60);
      expect(patienceSeconds(readinessProbe)).toBeLessThanOrEqual(10);
    },
  );

  it.each(each(planes))('%s has the time to drain before it is killed', (app, workload) => {
    const drainSeconds = Number(environmentOf(workload, manifests).DRAIN_TIMEOUT_SECONDS);
    const preStopSeconds = mainContainer(workload).lifecycle?.preStop?.sleep?.seconds ?? 0;
    expect(workload.pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      preStopSeconds + drainSeconds + CLOSING_MARGIN_SECONDS,
    );
    const isServed = manifests.some(({ kind, metadata }) => kind === 'Service' && metadata.name === app);
    expect(preStopSeconds).toBeGreaterThanOrEqual(isServed ? ENDPOINT_REMOVAL_SECONDS : 0);
  });

  it.each(each(planes))('%s is replaced pod by pod and spread over nodes and zones', (app, { pod }) => {
    const deployment = manifests
      .filter((manifest) => Deployment.is(manifest))
      .find(({ metadata }) => metadata?.name === app);
    expect(deployment?.spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
    expect(pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
    for (const { labelSelector } of pod.topologySpreadConstraints ?? []) {
      expect(labelSelector?.matchLabels).toEqual({ 'app.kubernetes.io/name': app });
    }
  });

  it.each(each(planes))('%s writes where it may', (_app, workload) => {
    const mounts = Object.fromEntries(
      (mainContainer(workload).volumeMounts ?? []).map(({ name, mountPath }) => [mountPath, name]),
    );
    const volumes = new Map((workload.pod.volumes ?? []).map((volume) => [volume.name, volume]));
    for (const path of [environmentOf(workload, manifests).DATA_DIR ?? '', '/tmp']) {
      expect(volumes.get(mounts[path] ?? '')?.emptyDir?.sizeLimit).toMatch(/^\d+[MG]i$/);
    }
  });

  it('gives the gateway the memory and the disk that its bodies may take', () => {
    const gateway = planes.find(({ name }) => name === 'gateway');
    if (!gateway) throw new Error('There is no gateway.');
    const bodies = Number(environmentOf(gateway, manifests).BODY_BUDGET_MB);
    const limit = toMebibytes(mainContainer(gateway).resources?.limits?.memory);
    expect(limit).toBeGreaterThanOrEqual(bodies + GATEWAY_WITHOUT_BODIES_MIB);
    const spool = Number(environmentOf(gateway, manifests).SPOOL_BUDGET_MB);
    const data = gateway.pod.volumes?.find(({ name }) => name === 'data')?.emptyDir;
    expect(toMebibytes(data?.sizeLimit)).toBeGreaterThan(spool);
  });

  it('migrates by a Job that may run again', () => {
    const job = workloads.find(({ kind }) => kind === 'Job');
    expect(job?.pod.restartPolicy).toBe('OnFailure');
    expect(job?.name).toMatch(/^migrate-\d/);
  });
});
