import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { ConfigMap, type IContainer, Secret } from 'kubernetes-models/v1';
import { listWorkloads } from './kubernetes-models.js';
import type { Manifest } from './render-kustomization.js';

/** A key of a Secret or a ConfigMap as `Secret/name/key`; the whole of one as `ConfigMap/name/`. */
export interface Reference {
  readonly path: string;
  readonly optional: boolean;
}

/** `Secret/name/key` and `ConfigMap/name/key` of everything that is there to be named. */
export function listKeys(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    if (Secret.is(manifest)) return nameKeys(manifest, manifest.stringData);
    return ConfigMap.is(manifest) ? nameKeys(manifest, manifest.data) : [];
  });
}

function nameKeys({ kind, metadata }: Manifest, data: object = {}): string[] {
  return Object.keys(data).map((key) => `${kind}/${metadata.name}/${key}`);
}

/** What pods, Prometheus and KEDA take from Secrets and ConfigMaps. */
export function listReferences(manifests: readonly Manifest[]): Reference[] {
  const ofPods = listWorkloads(manifests).flatMap(({ pod }) => [
    ...pod.containers.flatMap(listContainerReferences),
    ...(pod.volumes ?? []).flatMap(({ configMap }) => (configMap ? [whole(configMap.name)] : [])),
  ]);
  return [...ofPods, ...manifests.flatMap(listOtherReferences)];
}

function listContainerReferences({ env = [], envFrom = [] }: IContainer): Reference[] {
  const ofVariables = env.flatMap(({ valueFrom }) => {
    const reference = valueFrom?.secretKeyRef;
    return reference ? [secretKey(reference.name, reference.key, reference.optional)] : [];
  });
  return [...ofVariables, ...envFrom.map(({ configMapRef }) => whole(configMapRef?.name))];
}

function listOtherReferences(manifest: Manifest): Reference[] {
  if (TriggerAuthentication.is(manifest)) {
    return (manifest.spec.secretTargetRef ?? []).map(({ name, key }) => secretKey(name, key));
  }
  if (!PodMonitor.is(manifest)) return [];
  return (manifest.spec.podMetricsEndpoints ?? []).map(({ authorization }) =>
    secretKey(authorization?.credentials?.name, authorization?.credentials?.key),
  );
}

function secretKey(name: string | undefined, key: string | undefined, optional = false): Reference {
  return { path: `Secret/${name}/${key}`, optional };
}

function whole(configMap: string | undefined): Reference {
  return { path: `ConfigMap/${configMap}/`, optional: false };
}
