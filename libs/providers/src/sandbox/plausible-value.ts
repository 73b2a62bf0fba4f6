/** A rule of a JSON schema, as tools and structured outputs write them. */
type Rule = Readonly<Record<string, unknown>>;

/** Where to stop following rules that contain themselves. */
const MAX_DEPTH = 6;

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T09:30:00Z',
  time: '09:30:00Z',
  email: 'alex@example.com',
  uri: 'https://example.com/',
  uuid: '0f9d4c1e-6a3b-4c57-9d2e-1b7a5c8e4f60',
  ipv4: '192.0.2.1',
};

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/city|location|place|town/i, 'Paris'],
  [/country/i, 'France'],
  [/date|day/i, '2026-01-15'],
  [/time/i, '09:30'],
  [/e-?mail/i, 'alex@example.com'],
  [/url|link/i, 'https://example.com/'],
  [/currency/i, 'EUR'],
  [/unit/i, 'celsius'],
  [/lang/i, 'en'],
  [/name/i, 'Alex'],
];

/** A value that a JSON schema accepts and that a model might have written. `name` is the property it fills. */
export function plausibleValue(schema: unknown, name = ''): unknown {
  return valueOf(asRule(schema), { root: asRule(schema), name, depth: 0 });
}

interface Place {
  readonly root: Rule;
  readonly name: string;
  readonly depth: number;
}

function valueOf(rule: Rule, place: Place): unknown {
  if (typeof rule['$ref'] === 'string') {
    return valueOf(followReference(place.root, rule['$ref']), deeper(place));
  }
  if ('const' in rule) return rule['const'];
  if (Array.isArray(rule['enum'])) return rule['enum'][0];
  if ('default' in rule) return rule['default'];
  if (Array.isArray(rule['examples']) && rule['examples'].length > 0) return rule['examples'][0];
  const options = rule['anyOf'] ?? rule['oneOf'];
  if (Array.isArray(options)) return valueOf(chooseOption(options.map(asRule), place), deeper(place));
  if (Array.isArray(rule['allOf'])) return valueOf(mergeRules(rule['allOf'].map(asRule)), deeper(place));
  switch (typeOf(rule, place)) {
    case 'object':
      return objectOf(rule, place);
    case 'array':
      return arrayOf(rule, place);
    case 'integer':
    case 'number':
      return numberOf(rule);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return stringOf(rule, place.name);
  }
}

function typeOf(rule: Rule, place: Place): unknown {
  const { type } = rule;
  if (Array.isArray(type)) return place.depth > MAX_DEPTH && type.includes('null') ? 'null' : type[0];
  if (type !== undefined) return type;
  if (rule['properties'] !== undefined || place.depth === 0) return 'object';
  return rule['items'] === undefined ? 'string' : 'array';
}

/** Beyond the depth only what must be there is written, so that recursive schemas come to an end. */
function objectOf(rule: Rule, place: Place): Record<string, unknown> {
  const required = Array.isArray(rule['required']) ? rule['required'] : [];
  const properties = Object.entries(asRule(rule['properties']));
  const written =
    place.depth > MAX_DEPTH ? properties.filter(([name]) => required.includes(name)) : properties;
  return Object.fromEntries(
    written.map(([name, inner]) => [name, valueOf(asRule(inner), { ...deeper(place), name })]),
  );
}

function arrayOf(rule: Rule, place: Place): unknown[] {
  if (Array.isArray(rule['prefixItems'])) {
    return rule['prefixItems'].map((inner) => valueOf(asRule(inner), deeper(place)));
  }
  const least = typeof rule['minItems'] === 'number' ? rule['minItems'] : 0;
  const most = typeof rule['maxItems'] === 'number' ? rule['maxItems'] : Number.POSITIVE_INFINITY;
  const length = place.depth > MAX_DEPTH ? least : Math.min(Math.max(least, 1), most);
  return Array.from({ length }, () => valueOf(asRule(rule['items']), deeper(place)));
}

function numberOf(rule: Rule): number {
  const step = numberAt(rule, 'multipleOf') ?? 1;
  const above = numberAt(rule, 'exclusiveMinimum');
  const least = numberAt(rule, 'minimum') ?? (above === undefined ? undefined : above + step);
  const below = numberAt(rule, 'exclusiveMaximum');
  const most = numberAt(rule, 'maximum') ?? (below === undefined ? undefined : below - step);
  if (least !== undefined) return Math.ceil(least / step) * step;
  return most === undefined ? step : Math.min(step, Math.floor(most / step) * step);
}

function stringOf(rule: Rule, name: string): string {
  const known = BY_FORMAT[String(rule['format'])] ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const text = known ?? (name === '' ? 'simulated' : `simulated ${name}`);
  const padded = text.padEnd(numberAt(rule, 'minLength') ?? 0, '.');
  return padded.slice(0, numberAt(rule, 'maxLength'));
}

function chooseOption(options: readonly Rule[], place: Place): Rule {
  const isNull = (option: Rule): boolean => option['type'] === 'null';
  const wanted = place.depth > MAX_DEPTH ? options.find(isNull) : options.find((option) => !isNull(option));
  return wanted ?? options[0] ?? {};
}

function mergeRules(rules: readonly Rule[]): Rule {
  const properties = Object.assign({}, ...rules.map((rule) => asRule(rule['properties']))) as Rule;
  const merged = Object.assign({}, ...rules) as Rule;
  return Object.keys(properties).length === 0 ? merged : { ...merged, properties };
}

function followReference(root: Rule, reference: string): Rule {
  const steps = reference.split('/').slice(1);
  return asRule(steps.reduce<unknown>((node, step) => asRule(node)[step], root));
}

function numberAt(rule: Rule, key: string): number | undefined {
  const value = rule[key];
  return typeof value === 'number' ? value : undefined;
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function asRule(value: unknown): Rule {
  return typeof value === 'object' && value !== null ? (value as Rule) : {};
}
