import { isDeepStrictEqual } from 'node:util';
import { type Manifest, renderKustomization } from '../render-kustomization.js';
import { type ChartValue, SWITCHES, VALUES } from './chart-values.js';

/** A place in a manifest that the chart fills in. */
export class Slot {
  constructor(
    /** Go template that prints JSON; with `repeat`, of a list whose items follow those that are there. */
    readonly expression: string,
    readonly fill: (values: Values) => unknown,
    readonly options: { readonly when?: string; readonly repeat?: boolean } = {},
  ) {}
}

/** A manifest with slots in it. */
export type Node =
  | string
  | number
  | boolean
  | null
  | Slot
  | readonly Node[]
  | { readonly [key: string]: Node };
export type Values = { readonly [key: string]: unknown };

/** A manifest of the chart, and the switch that it depends on. */
export interface ChartObject {
  readonly name: string;
  readonly tree: { readonly [key: string]: Node };
  readonly when?: { readonly key: string; readonly on: boolean };
}

export interface Chart {
  readonly objects: readonly ChartObject[];
  /** What values.yaml says: the small overlay. */
  readonly small: Values;
  /** What of it differs in the production overlay. */
  readonly production: Values;
}

type Tree = { [key: string]: Node };
const OVERLAYS = { small: 'deploy/k8s/overlays/small', production: 'deploy/k8s/overlays/production' };
const IMAGE = /^(model-gateway-[a-z-]+):(.+)$/;

export const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

/** What an overlay holds, but for its namespace, which Helm makes. */
export function readOverlay(overlay: keyof typeof OVERLAYS): Manifest[] {
  return renderKustomization(OVERLAYS[overlay]).filter(({ kind }) => kind !== 'Namespace');
}

/**
 * Makes the chart of the overlays and the table of values.
 *
 * @throws Error when a place of the table is not there, or holds different things where one value is to stand for all.
 */
export function buildChart(): Chart {
  const overlays = { small: readOverlay('small'), production: readOverlay('production') };
  const manifests = [
    ...overlays.small,
    ...overlays.production.filter((other) => !overlays.small.some((one) => nameOf(one) === nameOf(other))),
  ];
  const trees = new Map(
    manifests.map((manifest) => [stableName(manifest), structuredClone(manifest) as unknown as Tree]),
  );
  const small: Tree = {};
  const production: Tree = {};
  const setValue = (key: string, first: unknown, second: unknown) => {
    setAt(small, key.split('.'), first as Node);
    if (!isDeepStrictEqual(first, second)) setAt(production, key.split('.'), difference(first, second));
  };
  // In the order of the table, with what is on or off first.
  for (const { key } of VALUES) small[key.split('.')[0] ?? ''] ??= {};
  setAt(small, ['image', 'registry'], '');
  setAt(small, ['image', 'tag'], readTag(overlays.small));
  for (const { key, on } of SWITCHES) {
    const isOn = (list: readonly Manifest[]) => list.some((manifest) => stableName(manifest) === on[0]);
    setValue(key, isOn(overlays.small), isOn(overlays.production));
  }
  for (const value of VALUES) {
    const first = readValue(value, overlays.small, trees) ?? readValue(value, overlays.production, trees);
    setValue(value.key, first, readValue(value, overlays.production, trees) ?? first);
  }
  for (const value of VALUES) for (const place of value.at) insert(value, place, trees);
  for (const tree of trees.values()) insertCommon(tree);
  const objects = [...trees].map(([name, tree]) => ({ name, tree, ...findSwitch(name) }));
  return { objects, small: small as Values, production: production as Values };
}

/** The value at a key such as `gateway.replicas`. */
export function valueAt(values: Values, key: string): unknown {
  return key.split('.').reduce<unknown>((node, part) => (node as Values | undefined)?.[part], values);
}

/** A Job's name changes with each version; everything else keeps its own. */
function stableName(manifest: Manifest): string {
  return manifest.kind === 'Job' ? 'Job migrate' : nameOf(manifest);
}

function findSwitch(name: string): Pick<ChartObject, 'when'> {
  for (const { key, on, off = [] } of SWITCHES) {
    if (on.includes(name)) return { when: { key, on: true } };
    if (off.includes(name)) return { when: { key, on: false } };
  }
  return {};
}

/** What an overlay has where this value goes, or `undefined` where it has no such object or field. */
function readValue(
  value: ChartValue,
  overlay: readonly Manifest[],
  trees: ReadonlyMap<string, Tree>,
): unknown {
  if (value.as === 'field') return value.initial;
  const found = value.at.flatMap((place) => {
    const { name, path } = parsePlace(place);
    const manifest = overlay.find((candidate) => stableName(candidate) === name);
    if (!manifest) return [];
    const there = getAt(manifest, path);
    if (value.as !== 'items') return [there];
    // What the first overlay has is part of the chart; the value is what follows it.
    return [(there as unknown[]).slice((getAt(trees.get(name), path) as unknown[]).length)];
  });
  if (found.some((other) => !isDeepStrictEqual(other, found[0]))) {
    throw new Error(`${value.key}: the manifests differ where one value is to stand for all.`);
  }
  return found[0];
}

function readTag(overlay: readonly Manifest[]): string {
  const tags = overlay.flatMap(({ spec }) =>
    (spec?.template?.spec.containers ?? []).flatMap(({ image }) => IMAGE.exec(image)?.[2] ?? []),
  );
  const [tag, ...others] = new Set(tags);
  if (tag === undefined || others.length > 0) throw new Error('The images have more than one tag.');
  return tag;
}

function insert(value: ChartValue, place: string, trees: ReadonlyMap<string, Tree>): void {
  const { name, path } = parsePlace(place);
  const tree = trees.get(name);
  if (!tree) throw new Error(`${value.key}: there is no ${name}.`);
  const isThere = getAt(tree, path) !== undefined;
  if (isThere === (value.as === 'field')) throw new Error(`${value.key}: see ${place}.`);
  const reference = `.Values.${value.key}`;
  const fill = (values: Values) => valueAt(values, value.key);
  if (value.as === 'items') {
    setAt(tree, path, [
      ...(getAt(tree, path) as Node[]),
      new Slot(reference, fill, { repeat: true }),
    ] as unknown as Node);
  } else if (value.as === 'field') {
    const filled = (values: Values) => (isEmpty(fill(values)) ? undefined : fill(values));
    setAt(tree, path, new Slot(`${reference} | toJson`, filled, { when: reference }));
  } else if (value.unless !== undefined) {
    const { unless } = value;
    const counted = (values: Values) => (valueAt(values, unless) === true ? undefined : fill(values));
    setAt(tree, path, new Slot(`${reference} | toJson`, counted, { when: `not .Values.${unless}` }));
  } else setAt(tree, path, new Slot(`${reference} | toJson`, fill));
}

/** What every release has of its own: its namespace, the images' registry and version, the Job's name. */
function insertCommon(tree: Tree): void {
  const manifest = tree as unknown as Manifest;
  const metadata = tree['metadata'] as Tree;
  metadata['namespace'] = new Slot('.Release.Namespace | toJson', () => 'model-gateway');
  for (const container of manifest.spec?.template?.spec.containers ?? []) {
    const image = typeof container.image === 'string' ? IMAGE.exec(container.image)?.[1] : undefined;
    if (image !== undefined) (container as unknown as Tree)['image'] = imageSlot(image);
  }
  // Its template cannot be changed: each upgrade has a Job of its own, also where only the registry changes.
  if (manifest.kind === 'Job') {
    metadata['name'] = new Slot(
      'printf "migrate-%s-%d" (regexReplaceAll "[^a-z0-9]+" (lower .Values.image.tag) "-" | trunc 40) .Release.Revision | toJson',
      (values) => `migrate-${String(valueAt(values, 'image.tag')).replaceAll(/[^a-z0-9]+/g, '-')}-1`,
    );
  }
}

function imageSlot(image: string): Slot {
  return new Slot(
    `printf "%s${image}:%s" .Values.image.registry .Values.image.tag | toJson`,
    (values) => `${valueAt(values, 'image.registry')}${image}:${valueAt(values, 'image.tag')}`,
  );
}

/** Helm merges maps and replaces everything else, so what a map keeps is left out. */
function difference(first: unknown, second: unknown): Node {
  if (!isMap(first) || !isMap(second)) return second as Node;
  const changed = Object.entries(second).filter(([key, value]) => !isDeepStrictEqual(first[key], value));
  return Object.fromEntries(changed.map(([key, value]) => [key, difference(first[key], value)]));
}

export function isMap(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Slot);
}

function isEmpty(value: unknown): boolean {
  return (
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isMap(value) && Object.keys(value).length === 0)
  );
}

function parsePlace(place: string): { name: string; path: string[] } {
  const [kind, object, pointer = ''] = place.split(' ');
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/'));
  return { name: `${kind} ${object}`, path };
}

function getAt(node: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Values | undefined)?.[key], node);
}

function setAt(tree: Tree, path: readonly string[], value: Node): void {
  let parent = tree;
  for (const key of path.slice(0, -1)) parent = (parent[key] ??= {}) as Tree;
  parent[path.at(-1) ?? ''] = value;
}
