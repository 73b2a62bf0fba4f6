import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PodMonitor, PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, type IPodSpec, Namespace, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Manifest } from './render-kustomization.js';

const CORE = 'kubernetes-models';
const KEDA = '@kubernetes-models/keda';
const PROMETHEUS = '@kubernetes-models/prometheus-operator';

/** The typed model of every kind that is used, and the package that knows it. */
export const MODELS = [
  { model: ConfigMap, from: CORE },
  { model: Deployment, from: CORE },
  { model: HorizontalPodAutoscaler, from: CORE },
  { model: Ingress, from: CORE },
  { model: Job, from: CORE },
  { model: Namespace, from: CORE },
  { model: NetworkPolicy, from: CORE },
  { model: PodDisruptionBudget, from: CORE },
  { model: PodMonitor, from: PROMETHEUS },
  { model: PrometheusRule, from: PROMETHEUS },
  { model: ScaledObject, from: KEDA },
  { model: Secret, from: CORE },
  { model: Service, from: CORE },
  { model: ServiceAccount, from: CORE },
  { model: StatefulSet, from: CORE },
  { model: TriggerAuthentication, from: KEDA },
] as const;

/** @throws Error for a kind that no model is listed for. */
export function findModel({ apiVersion, kind }: Manifest): (typeof MODELS)[number] {
  const found = MODELS.find(({ model }) => model.apiVersion === apiVersion && model.kind === kind);
  if (!found) throw new Error(`No model is listed for ${apiVersion} ${kind}.`);
  return found;
}

/** @throws Error naming the field whose type or value its model does not allow. */
export function validateManifest(manifest: Manifest): void {
  const Model = findModel(manifest).model as new (data: Manifest) => { validate(): void };
  new Model(manifest).validate();
}

/** TypeScript that compiles only when no manifest has a field that its model does not know. */
export function writeTypedManifests(manifests: readonly Manifest[]): string {
  const lines = manifests.map((manifest, index) => {
    const { model, from } = findModel(manifest);
    const module = JSON.stringify(`${from}/${model.apiVersion}`);
    return `export const document${index}: import(${module}).I${model.kind} = ${JSON.stringify(manifest, null, 2)};`;
  });
  return `${lines.join('\n')}\n`;
}

/** A pod that something keeps running, with what is common to all such things. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>> | undefined;
  readonly pod: IPodSpec;
}

export function listWorkloads(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap((manifest) => {
    if (!Deployment.is(manifest) && !StatefulSet.is(manifest) && !Job.is(manifest)) return [];
    const { spec } = manifest;
    if (!spec?.template.spec) throw new Error(`${manifest.kind} without a pod`);
    return {
      kind: manifest.kind,
      name: manifest.metadata?.name ?? '',
      labels: spec.template.metadata?.labels ?? {},
      selector: spec.selector?.matchLabels,
      pod: spec.template.spec,
    };
  });
}
