/** A rule of a JSON schema, as tools and structured outputs write them. */
type Rule = Readonly<Record<string, unknown>>;

/** Where to stop following rules that contain themselves. */
const MAX_DEPTH = 6;
/** Where to stop following what must be there: a rule may demand itself. */
const DEEPEST = 64;
/** What a value may cost: characters that are written, and parts of the schema that are looked at for them. */
const MAX_COST = 8_000;
const COST_OF_VALUE = 8;
/** Types that a rule allows, of which more are not looked at. */
const MAX_TYPES = 16;

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

/**
 * A value that a JSON schema accepts and that a model might have written; `null` in the place of what would be too large.
 * `name` is the property it fills.
 */
export function plausibleValue(schema: unknown, name = ''): unknown {
  return valueOf(asRule(schema), { root: asRule(schema), name, depth: 0, budget: { left: MAX_COST } });
}

interface Place {
  readonly root: Rule;
  readonly name: string;
  readonly depth: number;
  /** What may still be spent on the whole value. */
  readonly budget: { left: number };
}

/** @returns whether there is enough left for it; if not, nothing is left afterwards. */
function spend({ budget }: Place, cost: number): boolean {
  budget.left = cost <= budget.left ? budget.left - cost : 0;
  return budget.left > 0;
}

function valueOf(rule: Rule, place: Place): unknown {
  if (place.depth > DEEPEST || !spend(place, COST_OF_VALUE)) return null;
  const reference = rule['$ref'];
  if (typeof reference === 'string') {
    if (!spend(place, reference.length)) return null;
    return valueOf(followReference(place.root, reference), deeper(place));
  }
  if ('const' in rule) return copyOf(rule['const'], place);
  if (Array.isArray(rule['enum'])) return copyOf(rule['enum'][0], place);
  if ('default' in rule) return copyOf(rule['default'], place);
  if (Array.isArray(rule['examples']) && rule['examples'].length > 0) {
    return copyOf(rule['examples'][0], place);
  }
  const options = rule['anyOf'] ?? rule['oneOf'];
  if (Array.isArray(options)) {
    return spend(place, options.length)
      ? valueOf(chooseOption(options.map(asRule), place), deeper(place))
      : null;
  }
  if (Array.isArray(rule['allOf'])) {
    const rules = rule['allOf'].map(asRule);
    const names = rules.reduce((sum, { properties }) => sum + Object.keys(asRule(properties)).length, 0);
    return spend(place, rules.length + names) ? valueOf(mergeRules(rules), deeper(place)) : null;
  }
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
      return stringOf(rule, place);
  }
}

/** A value that the schema itself holds. */
function copyOf(value: unknown, place: Place): unknown {
  return spend(place, JSON.stringify(value)?.length ?? 0) ? value : null;
}

function typeOf(rule: Rule, place: Place): unknown {
  const { type } = rule;
  if (Array.isArray(type))
    return place.depth > MAX_DEPTH && type.slice(0, MAX_TYPES).includes('null') ? 'null' : type[0];
  if (type !== undefined) return type;
  if (rule['properties'] !== undefined || place.depth === 0) return 'object';
  return rule['items'] === undefined ? 'string' : 'array';
}

/** Beyond the depth only what must be there is written, so that recursive schemas come to an end. */
function objectOf(rule: Rule, place: Place): Record<string, unknown> {
  const required = Array.isArray(rule['required']) ? rule['required'] : [];
  const properties = Object.entries(asRule(rule['properties']));
  const written: [string, unknown][] = [];
  if (!spend(place, required.length + properties.length)) return {};
  const needed = new Set(required);
  for (const [name, inner] of properties) {
    if (place.depth > MAX_DEPTH && !needed.has(name)) continue;
    if (!spend(place, name.length)) break;
    written.push([name, valueOf(asRule(inner), { ...deeper(place), name })]);
  }
  return Object.fromEntries(written);
}

function arrayOf(rule: Rule, place: Place): unknown[] {
  const items: unknown[] = [];
  const listed = Array.isArray(rule['prefixItems']) ? rule['prefixItems'] : undefined;
  const least = numberAt(rule, 'minItems') ?? 0;
  const most = numberAt(rule, 'maxItems') ?? Number.POSITIVE_INFINITY;
  const length = listed?.length ?? (place.depth > MAX_DEPTH ? least : Math.min(Math.max(least, 1), most));
  while (items.length < length && place.budget.left > 0) {
    items.push(valueOf(asRule(listed ? listed[items.length] : rule['items']), deeper(place)));
  }
  return items;
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

function stringOf(rule: Rule, place: Place): string {
  const { name } = place;
  const known = BY_FORMAT[String(rule['format'])] ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const text = known ?? (name === '' ? 'simulated' : `simulated ${name}`);
  const padded = text.padEnd(Math.min(numberAt(rule, 'minLength') ?? 0, place.budget.left), '.');
  spend(place, padded.length);
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
