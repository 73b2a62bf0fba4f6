import { Document, isMap as isYamlMap, isScalar, stringify } from 'yaml';
import { type Chart, isMap, type Values } from './chart-model.js';
import { SWITCHES, VALUES } from './chart-values.js';
import { FOR_HELM } from './write-templates.js';

const COMMON = [
  {
    key: 'image.registry',
    about: 'Before the names of our images, with its slash: registry.example.com/team/.',
  },
  { key: 'image.tag', about: 'Of our images.' },
];
const ABOUT = new Map([...COMMON, ...SWITCHES, ...VALUES].map(({ key, about }) => [key, about]));
const SCHEMAS = new Map(VALUES.flatMap(({ key, schema }) => (schema ? [[key, schema] as const] : [])));

const SMALL = ` The small installation, as deploy/k8s/overlays/small has it; values-production.yaml is the other one.
 The Secrets come first: deploy/k8s/secrets.example.yaml. Made of deploy/k8s by tools/src/deploy/helm.`;
const PRODUCTION = `# Replicas over nodes, autoscaling, a managed Postgres and Redis, as deploy/k8s/overlays/production has it. Wants metrics-server,
# Prometheus's operator, prometheus-adapter (deploy/k8s/overlays/production/prometheus-adapter-values.yaml) and KEDA.
# Put the networks of your servers into it. Made of deploy/k8s by tools/src/deploy/helm.
`;

/** values.yaml, with a line about each value. */
export function writeValues({ small }: Chart): string {
  const document = new Document(small, FOR_HELM);
  document.commentBefore = SMALL;
  addComments(document.contents, []);
  return document.toString(FOR_HELM);
}

/** values-production.yaml: what differs there. */
export function writeProductionValues({ production }: Chart): string {
  return PRODUCTION + stringify(production, FOR_HELM);
}

function addComments(node: unknown, path: readonly string[]): void {
  if (!isYamlMap(node) || ABOUT.has(path.join('.'))) return;
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const inner = [...path, String(key.value)];
    const about = ABOUT.get(inner.join('.'));
    if (about !== undefined) key.commentBefore = ` ${about}`;
    addComments(value, inner);
  }
}

/** values.schema.json: Helm refuses a value that is misspelt or of another type, and names it. */
export function writeSchema({ small }: Chart): string {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(small, []) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function schemaOf(value: unknown, path: readonly string[]): object {
  const key = path.join('.');
  const given = SCHEMAS.get(key);
  if (given) return given;
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (Array.isArray(value)) return { type: 'array', items: { type: 'object' } };
  if (!isMap(value)) return { type: typeof value };
  // Whatever Kubernetes takes there.
  if (ABOUT.has(key)) return { type: 'object' };
  const properties = Object.entries(value as Values).map(([name, inner]) => [
    name,
    schemaOf(inner, [...path, name]),
  ]);
  // Helm itself adds `global` to the values of a chart within another.
  if (path.length === 0) properties.push(['global', { type: 'object' }]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
