import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { HELM_CHART, renderChart } from '../deploy/helm/render-chart.js';
import { nameOf } from '../deploy/helm/chart-model.js';
import { listWorkloads } from '../deploy/kubernetes-models.js';
import { type Manifest, readManifests, renderKustomization } from '../deploy/render-kustomization.js';
import { findTool, TOOLS } from '../check-tools/check-tools.mjs';
import { type ApiAnswer, ApiServer } from './api-server.js';

/** Set by `npm run apiserver`: folders with the custom resources of KEDA and of Prometheus's operator. */
const { APISERVER_CUSTOM_RESOURCES: FOLDERS = '' } = process.env;
const START_TIMEOUT_MS = 300_000;
const ESTABLISHED_WITHIN_MS = 60_000;
const NAMESPACE = 'deploy/k8s/base/namespace.yaml';
const SECRETS = 'deploy/k8s/secrets.example.yaml';

const INSTALLATIONS: Readonly<Record<string, () => Manifest[]>> = {
  base: () => renderKustomization('deploy/k8s/base'),
  small: () => renderKustomization('deploy/k8s'),
  production: () => renderKustomization('deploy/k8s/overlays/production'),
  'chart-small': () => [...readManifests(NAMESPACE), ...renderChart()],
  'chart-production': () => [
    ...readManifests(NAMESPACE),
    ...renderChart('--values', join(HELM_CHART, 'values-production.yaml')),
  ],
};

/** A namespace of its own for each installation, since there is no controller that would empty one. */
function moveTo(namespace: string, manifest: Manifest): Manifest {
  const { kind, metadata } = manifest;
  const moved = kind === 'Namespace' ? { name: namespace } : { namespace };
  return { ...manifest, metadata: { ...metadata, ...moved } };
}

function faultsOf(what: string, { status, text, warnings }: ApiAnswer): string[] {
  const refused = status >= 300 ? [`${what}: ${status} ${text}`] : [];
  return [...refused, ...warnings.map((warning) => `${what}: ${warning}`)];
}

/** The kinds that an `APIResourceList` names. */
function readKinds(text: string): string[] {
  const { resources } = JSON.parse(text) as { resources: { kind: string }[] };
  return resources.map(({ kind }) => kind);
}

describe.skipIf(FOLDERS === '')('a real API server (minutes: npm run apiserver)', () => {
  const server = new ApiServer();
  // oxlint-disable-next-line no-console -- whoever runs it wants to know what was applied
  const say = (line: string) => console.log(line);

  beforeAll(async () => {
    const [etcd = '', apiserver = ''] = [findTool('etcd'), findTool('kube-apiserver')];
    await server.start(etcd, apiserver);
    say(`API server ${TOOLS['kube-apiserver'].version}, etcd ${TOOLS.etcd.version}`);
  }, START_TIMEOUT_MS);
  afterAll(() => server.stop());

  it("takes the custom resources of KEDA and of Prometheus's operator", async () => {
    const definitions = FOLDERS.split(':').flatMap((folder) =>
      readdirSync(folder).flatMap((file) =>
        parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
          (document) => document.toJS() as Manifest,
        ),
      ),
    );
    for (const definition of definitions) {
      expect(faultsOf(nameOf(definition), await server.apply(definition))).toEqual([]);
    }
    const listKinds = async () => {
      const answers = await Promise.all(
        ['keda.sh/v1alpha1', 'monitoring.coreos.com/v1'].map((group) => server.get(`/apis/${group}`)),
      );
      // In the order in which they came to be there, which differs from run to run.
      return answers.flatMap(({ status, text }) => (status === 200 ? readKinds(text) : []));
    };
    await expect
      .poll(listKinds, { timeout: ESTABLISHED_WITHIN_MS })
      .toEqual(
        expect.arrayContaining(['ScaledObject', 'TriggerAuthentication', 'PodMonitor', 'PrometheusRule']),
      );
    say(`${definitions.length} custom resources of KEDA and Prometheus's operator`);
  });

  it.each(Object.entries(INSTALLATIONS))('takes %s without a word', async (name, read) => {
    const namespace = `check-${name}`;
    const manifests = [...read(), ...readManifests(SECRETS)].map((manifest) => moveTo(namespace, manifest));
    const faults: string[] = [];
    for (const manifest of manifests)
      faults.push(...faultsOf(nameOf(manifest), await server.apply(manifest)));
    // Pod Security refuses pods, and only warns of what would make them.
    const workloads = listWorkloads(manifests);
    for (const { name: workload, labels, pod } of workloads) {
      const metadata = { name: workload, namespace, labels };
      const restartPolicy = pod.restartPolicy ?? 'Always';
      const volumes = [
        ...(pod.volumes ?? []),
        // The claims of a StatefulSet, which its controller makes.
        ...(pod.containers[0]?.volumeMounts ?? [])
          .filter((mount) => !pod.volumes?.some((volume) => volume.name === mount.name))
          .map((mount) => ({ name: mount.name, emptyDir: {} })),
      ];
      const answer = await server.tryPod(namespace, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { ...pod, restartPolicy, volumes },
      });
      faults.push(...faultsOf(`Pod of ${workload}`, answer));
    }
    say(
      `${name}: ${manifests.length} objects applied, ${workloads.length} pods taken, ${faults.length} faults`,
    );
    expect(faults).toEqual([]);
  });

  it('would refuse a field that it does not know, and a pod that Pod Security forbids', async () => {
    const namespace = 'check-refused';
    const [own] = readManifests(NAMESPACE).map((manifest) => moveTo(namespace, manifest));
    if (!own) throw new Error('There is no namespace.');
    expect(faultsOf('Namespace', await server.apply(own))).toEqual([]);
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    expect((await server.apply({ ...account, misspelt: true })).text).toContain('misspelt');
    expect(faultsOf('ServiceAccount', await server.apply(account))).toEqual([]);
    const pod = { containers: [{ name: 'root', image: 'root' }] };
    const answer = await server.tryPod(namespace, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'root', namespace },
      spec: pod,
    });
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('PodSecurity') as string });
  });
});
