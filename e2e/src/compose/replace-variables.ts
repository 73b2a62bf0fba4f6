const VARIABLE = /\$(?:(\$)|(\w+)|\{(\w+)(?:(:?)([-?+])([^}]*))?\})/g;

/**
 * Replaces `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME:?sentence}` and `${NAME:+other}`, and `$$` by a dollar sign.
 * https://docs.docker.com/reference/compose-file/interpolation/
 *
 * @throws Error with the file's sentence when a variable that must be set is not.
 */
export function replaceVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    VARIABLE,
    (
      _match,
      dollar: string | undefined,
      bare: string | undefined,
      braced: string | undefined,
      colon: string | undefined,
      operator: string | undefined,
      rest = '',
    ) => {
      if (dollar) return '$';
      const name = bare ?? braced ?? '';
      const value = variables[name];
      const isSet = value !== undefined && !(colon === ':' && value === '');
      if (operator === '-') return isSet ? value : rest;
      if (operator === '+') return isSet ? rest : '';
      if (operator === '?' && !isSet) throw new Error(`${name}: ${rest}`);
      return value ?? '';
    },
  );
}
