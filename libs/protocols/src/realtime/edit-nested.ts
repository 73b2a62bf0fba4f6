import { editMembers } from '../splice-json.js';
import type { NameTable } from '../strict-json/name-table.js';
import { scanBody } from '../strict-json/scanned-body.js';

/** A member that gets another value, by the names that lead to it. */
export interface JsonEdit {
  readonly path: readonly string[];
  readonly value: string;
}

/** Sets a text within nested objects of a message that was scanned; all other bytes stay as they are. */
export function editNested(body: Buffer, { path, value }: JsonEdit, names: NameTable): Buffer {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return editMembers(body, new Map([[name, JSON.stringify(value)]]), names);
  const span = scanBody(body, names).find(({ key }) => key === name);
  if (!span) return body;
  const inner = editNested(body.subarray(span.valueStart, span.valueEnd), { path: rest, value }, names);
  return editMembers(body, new Map([[name, inner]]), names);
}
