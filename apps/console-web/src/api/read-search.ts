/** Of what a page's address says, the fields of these names that are not empty, as text. */
export function readSearch<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const known = names.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === '' ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(known) as Partial<Record<Name, string>>;
}

/** The search part of an address: fields as they are, those without a value left out. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
