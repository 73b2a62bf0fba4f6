import { structuredSchemas } from './adapt-schema.js';
import { writeArgumentsInSlices } from './arguments-in-slices.js';
import type { CanonicalRequest } from './request.js';
import type { NotedSchemas } from './schema-pass.js';

/**
 * Does what is to be done with the schemas of a request before it is written for an upstream, in steps, none of which takes long.
 *
 * @param passes what the upstream's protocol makes of schemas.
 * @param pause is waited for between two steps.
 */
export async function noteSchemasInSlices(
  { tools, output }: CanonicalRequest,
  passes: readonly NotedSchemas[],
  pause: () => Promise<void>,
): Promise<void> {
  const wanted = output?.type === 'schema' ? [output.schema] : [];
  const schemas = [...tools.flatMap(({ parameters }) => (parameters ? [parameters] : [])), ...wanted];
  for (const pass of passes) await pass.note(schemas, pause);
  // Where the prompt, or a member that is a text, says what an answer is to look like.
  const written = passes.includes(structuredSchemas)
    ? wanted.map((schema) => structuredSchemas.of(schema))
    : [];
  await writeArgumentsInSlices([...wanted, ...written], pause);
}
