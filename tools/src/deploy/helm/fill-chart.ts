import type { Manifest } from '../render-kustomization.js';
import { type Chart, isMap, type Node, Slot, type Values, valueAt } from './chart-model.js';

/** What Helm makes of the chart with these values, at the first install. */
export function fillChart({ objects }: Chart, values: Values): Manifest[] {
  return objects.flatMap(({ tree, when }) =>
    when && valueAt(values, when.key) !== when.on ? [] : [fillNode(tree, values) as Manifest],
  );
}

/** As Helm does it: maps are merged, everything else is replaced. */
export function mergeValues(below: Values, above: Values): Values {
  const merged = Object.entries(above).map(([key, value]) => {
    const old = below[key];
    return [key, isMap(old) && isMap(value) ? mergeValues(old, value) : value] as const;
  });
  return { ...below, ...Object.fromEntries(merged) };
}

function fillNode(node: Node, values: Values): unknown {
  if (node instanceof Slot) return node.fill(values);
  if (Array.isArray(node)) {
    return node.flatMap((item: Node) =>
      item instanceof Slot && item.options.repeat
        ? (item.fill(values) as unknown[])
        : [fillNode(item, values)],
    );
  }
  if (!isMap(node)) return node;
  const fields = Object.entries(node as { [key: string]: Node }).map(
    ([key, value]) => [key, fillNode(value, values)] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
