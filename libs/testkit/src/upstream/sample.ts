/** The plainest value that a JSON schema of tools and structured outputs accepts. */
export function sampleOf(schema: unknown, root: unknown = schema): unknown {
  const rule = (typeof schema === 'object' && schema !== null ? schema : {}) as Record<string, unknown>;
  if (typeof rule['$ref'] === 'string') return sampleOf(followReference(root, rule['$ref']), root);
  if ('const' in rule) return rule['const'];
  if (Array.isArray(rule['enum'])) return rule['enum'][0];
  const options = rule['anyOf'] ?? rule['oneOf'];
  if (Array.isArray(options)) return sampleOf(options[0], root);
  const type: unknown = Array.isArray(rule['type']) ? rule['type'][0] : rule['type'];
  // Google's own schemas write types in capitals.
  switch (typeof type === 'string' ? type.toLowerCase() : type) {
    case 'string':
      return 'sample';
    case 'integer':
    case 'number':
      return typeof rule['minimum'] === 'number' ? rule['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [sampleOf(rule['items'], root)];
    default:
      return sampleOfObject(rule, root);
  }
}

function sampleOfObject(rule: Record<string, unknown>, root: unknown): Record<string, unknown> {
  const properties = (rule['properties'] ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, sampleOf(inner, root)]));
}

function followReference(root: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], root);
}
