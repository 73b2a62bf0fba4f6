import { stringify } from 'yaml';
import { type Chart, type ChartObject, isMap, type Node, Slot } from './chart-model.js';

const NOTICE = `# Made of deploy/k8s by tools/src/deploy/helm; change it there.`;
/** Helm reads YAML 1.1, in which `on` is true: such texts are quoted. */
export const FOR_HELM = { compat: 'yaml-1.1', lineWidth: 0 } as const;

const NAME = 'app.kubernetes.io/name';

/** The files of `templates/`, by name: a plane each, what all share in `common.yaml`. */
export function writeTemplates({ objects }: Chart): Map<string, string> {
  const files = new Map<string, string[]>();
  for (const object of objects) {
    const file = `${fileOf(object)}.yaml`;
    const text = ['---', ...writeFields(object.tree, '')].join('\n');
    const { when } = object;
    const condition = when && `${when.on ? '' : 'not '}.Values.${when.key}`;
    const whole = condition ? `{{- if ${condition} }}\n${text}\n{{- end }}` : text;
    files.set(file, [...(files.get(file) ?? [NOTICE]), whole]);
  }
  return new Map([...files].map(([file, texts]) => [file, `${texts.join('\n')}\n`]));
}

function fileOf({ name, tree, when }: ChartObject): string {
  if (when) {
    const [first = ''] = when.key.split('.');
    if (['monitoring', 'postgres', 'redis'].includes(first)) return first;
  }
  const { labels } = tree['metadata'] as { labels?: Record<string, string> };
  return labels?.[NAME] ?? (name.endsWith('-configuration') ? 'console' : 'common');
}

function writeFields(map: object, pad: string): string[] {
  return Object.entries(map as { [key: string]: Node }).flatMap(([key, value]) =>
    writeField(stringify(key, FOR_HELM).trimEnd(), value, pad),
  );
}

function writeField(key: string, value: Node, pad: string): string[] {
  if (value instanceof Slot) {
    const line = `${pad}${key}: {{ ${value.expression} }}`;
    const { when } = value.options;
    return when === undefined ? [line] : [`${pad}{{- if ${when} }}`, line, `${pad}{{- end }}`];
  }
  if (Array.isArray(value) && value.length > 0) return [`${pad}${key}:`, ...writeItems(value, `${pad}  `)];
  if (isMap(value) && Object.keys(value).length > 0)
    return [`${pad}${key}:`, ...writeFields(value, `${pad}  `)];
  return writeScalar(`${pad}${key}:`, value, pad);
}

function writeItems(items: readonly Node[], pad: string): string[] {
  return items.flatMap((item) => {
    if (item instanceof Slot) {
      return item.options.repeat
        ? [`${pad}{{- range ${item.expression} }}`, `${pad}- {{ . | toJson }}`, `${pad}{{- end }}`]
        : [`${pad}- {{ ${item.expression} }}`];
    }
    if (!isMap(item)) return writeScalar(`${pad}-`, item, pad);
    const [first = '', ...others] = writeFields(item, `${pad}  `);
    return [`${pad}- ${first.trimStart()}`, ...others];
  });
}

/** What is not a slot. Braces of Prometheus's own templates are not for Helm. */
function writeScalar(before: string, value: Node, pad: string): string[] {
  if (typeof value === 'string' && value.includes('{{')) {
    return [`${before} {{ ${JSON.stringify(value)} | toJson }}`];
  }
  if (typeof value !== 'string' || !value.includes('\n')) {
    return [`${before} ${stringify(value, FOR_HELM).trimEnd()}`];
  }
  const lines = stringify(value, { ...FOR_HELM, blockQuote: 'literal' })
    .trimEnd()
    .split('\n');
  return [`${before} ${lines[0]}`, ...lines.slice(1).map((line) => (line === '' ? '' : `${pad}  ${line}`))];
}
