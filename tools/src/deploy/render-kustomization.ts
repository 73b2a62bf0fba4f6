import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPatch, type Operation } from 'rfc6902';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../architecture-tests/workspace.js';

const target = z.strictObject({ kind: z.string(), name: z.string() });
const operation = z.looseObject({ op: z.string(), path: z.string() }) as unknown as z.ZodType<Operation>;

/** What of Kustomize the manifests use; anything else in a kustomization.yaml is refused, so that nothing is overlooked. */
const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  replicas: z.array(z.strictObject({ name: z.string(), count: z.int() })).default([]),
  images: z
    .array(
      z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string().optional() }),
    )
    .default([]),
  patches: z
    .array(z.strictObject({ target, patch: z.string().optional(), path: z.string().optional() }))
    .default([]),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        files: z.array(z.string()),
        options: z.strictObject({ disableNameSuffixHash: z.literal(true) }),
      }),
    )
    .default([]),
});
type Kustomization = z.output<typeof kustomizationSchema>;

const containerSchema = z.looseObject({ name: z.string(), image: z.string() });
const documentSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z
    .looseObject({
      replicas: z.int().optional(),
      template: z.looseObject({ spec: z.looseObject({ containers: z.array(containerSchema) }) }).optional(),
    })
    .optional(),
});

/** A document of Kubernetes, of which only what is common to all is known. */
export type Manifest = z.output<typeof documentSchema>;

/** Every document of a YAML file, from the top of the repository. */
export function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(ROOT, path), 'utf8')).map((document) =>
    documentSchema.parse(document.toJS()),
  );
}

/**
 * What `kubectl kustomize <folder>` prints, in the order of the files.
 *
 * @throws Error when a kustomization says what this reader does not know, or a patch does not fit.
 */
export function renderKustomization(folder: string): Manifest[] {
  const file = join(folder, 'kustomization.yaml');
  const kustomization = kustomizationSchema.parse(parse(readFileSync(join(ROOT, file), 'utf8')));
  const manifests = [
    ...kustomization.resources.flatMap((resource) => readResource(join(folder, resource))),
    ...kustomization.configMapGenerator.map((generator) => generateConfigMap(folder, generator)),
  ];
  for (const manifest of manifests) transform(manifest, kustomization);
  for (const patch of kustomization.patches) applyOne(manifests, patch, folder);
  return manifests;
}

function readResource(path: string): Manifest[] {
  return statSync(join(ROOT, path)).isDirectory() ? renderKustomization(path) : readManifests(path);
}

function generateConfigMap(folder: string, generator: Kustomization['configMapGenerator'][number]): Manifest {
  const texts = generator.files.map((file) => [file, readFileSync(join(ROOT, folder, file), 'utf8')]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: generator.name },
    data: Object.fromEntries(texts),
  };
}

function transform(manifest: Manifest, { namespace, replicas, images }: Kustomization): void {
  if (namespace !== undefined && manifest.kind !== 'Namespace') manifest.metadata.namespace = namespace;
  const wanted = replicas.find(({ name }) => name === manifest.metadata.name);
  if (wanted && manifest.spec && ['Deployment', 'StatefulSet'].includes(manifest.kind)) {
    manifest.spec.replicas = wanted.count;
  }
  for (const container of manifest.spec?.template?.spec.containers ?? []) {
    const image = images.find(({ name }) => name === container.image);
    if (image) container.image = `${image.newName ?? image.name}:${image.newTag ?? 'latest'}`;
  }
}

function applyOne(manifests: Manifest[], patch: Kustomization['patches'][number], folder: string): void {
  const text = patch.patch ?? readFileSync(join(ROOT, folder, patch.path ?? ''), 'utf8');
  const operations = z.array(operation).parse(parse(text));
  const name = new RegExp(`^(?:${patch.target.name})$`);
  const targets = manifests.filter(
    ({ kind, metadata }) => kind === patch.target.kind && name.test(metadata.name),
  );
  if (targets.length === 0) throw new Error(`${dirname(folder)}: a patch fits nothing: ${text}`);
  for (const manifest of targets) {
    const [fault] = applyPatch(manifest, operations).filter((error) => error !== null);
    if (fault) throw new Error(`${manifest.kind} ${manifest.metadata.name}: ${fault.message} in ${text}`);
  }
}
