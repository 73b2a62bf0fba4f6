/**
 * `${NAME}` in the configuration file. The text is marked before YAML sees it, and the marks are replaced in the parsed
 * values: so a value may hold any character, stands anywhere YAML takes a plain word, and one in a comment asks for nothing.
 */
const REFERENCE = /\$\$\{|\$\{([^{}\s]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Characters of Unicode's private use area: allowed in YAML and in nobody's names. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const ESCAPED = '\uE002';
const MARK = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}|${ESCAPED}`, 'g');

/** A `${...}` that cannot be replaced. The message names the variable and the field. */
export class VariableError extends Error {
  override readonly name = 'VariableError';
}

/** Marks every `${NAME}`; `$${` stands for `${` itself. */
export function markVariables(text: string): string {
  return text.replace(REFERENCE, (_match, name: string | undefined) =>
    name === undefined ? ESCAPED : `${OPEN}${name}${CLOSE}`,
  );
}

/**
 * Replaces the marks in a parsed value, however deep.
 *
 * @param path name of the value, for messages.
 * @throws VariableError for a variable that is missing or empty, or no name at all.
 */
export function replaceMarks(
  value: unknown,
  variables: Readonly<Record<string, string | undefined>>,
  path = '',
): unknown {
  if (typeof value === 'string') {
    return value.replace(MARK, (_match, name: string | undefined) =>
      name === undefined ? '${' : readVariable(name, variables, path),
    );
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => replaceMarks(item, variables, `${path}[${index}]`));
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = String(replaceMarks(key, variables, path));
      return [name, replaceMarks(item, variables, path === '' ? name : `${path}.${name}`)];
    }),
  );
}

function readVariable(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  path: string,
): string {
  const where = path === '' ? '' : `${path}: `;
  if (!NAME.test(name)) {
    throw new VariableError(
      `${where}\${${name}} is not a variable: write \${NAME}, or $\${ for a plain \${.`,
    );
  }
  const value = variables[name];
  if (value !== undefined && value !== '') return value;
  throw new VariableError(`${where}the environment variable ${name} is not set.`);
}
