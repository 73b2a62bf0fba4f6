import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { registerInferenceRoutes } from '../http/register-inference-routes.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { SCHEMAS } from './schemas.js';
import { ENDPOINTS, writeOpenApiDocument } from './write-document.js';

type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly security?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
};

const document = writeOpenApiDocument('1');
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
const OPERATIONS = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

/** A path without the names of its parameters; what stands behind a model's colon is read by the route itself. */
const normalize = (path: string) =>
  path
    .replace(/\{[^}]+\}(:\w+)?$/, '{}')
    .replaceAll(/\{[^}]+\}/g, '{}')
    .replaceAll(/:\w+|\*/g, '{}');

/** Every method and path that is served, apart from those that answer 405. */
async function listServed(): Promise<string[]> {
  const server = fastify();
  const served = new Set<string>();
  server.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat();
    if (!methods.includes('OPTIONS') && !methods.includes('HEAD')) {
      for (const name of methods) served.add(`${name} ${normalize(url)}`);
    }
  });
  registerInferenceRoutes(server, { account: {}, video: {}, shares: {} } as unknown as VideoGateway);
  await server.ready();
  await server.close();
  return [...served].toSorted();
}

const isFreeText = (schema: object) => 'type' in schema && schema.type === 'string' && !('enum' in schema);

describe('the description of the gateway', () => {
  it('T32: names what is served, and nothing else', async () => {
    const described = new Set(
      OPERATIONS.map(([name]) => name.replace(/ .*/, (path) => ` ${normalize(path.slice(1))}`)),
    );
    for (const open of ['GET /healthz', 'GET /readyz', 'GET /metrics']) described.delete(open);
    expect([...described].toSorted()).toEqual(await listServed());
  });

  it('says what a path and a query may hold: no NUL, and counts within their limits', () => {
    const parameters = OPERATIONS.flatMap(([, operation]) => operation.parameters ?? []);
    const texts = parameters.filter(({ in: place, schema }) => place !== 'header' && isFreeText(schema));
    for (const { schema } of texts) expect(schema).toHaveProperty('pattern');
    const find = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
    const counts = parameters.filter(({ name }) => /^(?:limit|page_num|page_size)$/.test(name));
    expect(counts.map(({ name, schema }) => [name, schema])).toEqual([
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['page_num', { type: 'integer', minimum: 1, maximum: 500, default: 1 }],
      ['page_size', { type: 'integer', minimum: 1, maximum: 500, default: 10 }],
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['limit', { type: 'integer', minimum: 1, maximum: 1_000, default: 20 }],
      ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
      ['limit', { type: 'integer', minimum: 1, maximum: 1_000, default: 20 }],
    ]);
    expect(find('filter.status')).toMatchObject({ enum: expect.arrayContaining(['queued', 'expired']) });
  });

  it('says that a prompt is not empty, and how long an Idempotency-Key is', () => {
    const schemas = document.components?.schemas as Record<string, { properties?: Record<string, object> }>;
    expect(schemas.VideoGenerationRequest?.properties?.prompt).toMatchObject({ pattern: String.raw`\S` });
    const create = paths['/v1/videos']?.post;
    const key = create?.parameters?.find(({ name }) => name === 'Idempotency-Key');
    expect(key?.schema).toMatchObject({ minLength: 1, maxLength: 255 });
  });

  it('M3: says of every body that is open to other members that their names hold no NUL', () => {
    const schemas = document.components?.schemas as Record<string, object>;
    const asked = new Set(
      OPERATIONS.flatMap(
        ([, { requestBody }]) => JSON.stringify(requestBody ?? {}).match(/(?<=schemas\/)\w+/g) ?? [],
      ),
    );
    expect(asked.size).toBeGreaterThan(15);
    const texts = [...asked].map((name) => JSON.stringify(schemas[name]));
    expect(texts.filter((text) => text.includes('"additionalProperties":true'))).toEqual([]);
    expect(texts.filter((text) => !text.includes('"propertyNames"'))).toEqual([]);
  });

  it('says of forms that they hold texts and files, and no null', () => {
    const schemas = document.components?.schemas as Record<string, object>;
    const forms = [schemas.ImageEditForm, schemas.TranscriptionForm, schemas.OpenAiVideoForm];
    expect(JSON.stringify(forms)).not.toContain('null');
    expect(schemas.OpenAiVideoForm).toMatchObject({ maxProperties: 16 });
    expect(schemas.UploadPartForm).toMatchObject({ additionalProperties: false });
    const { expires_after } = (schemas.FileForm as { properties: Record<string, object> }).properties;
    expect(expires_after).toMatchObject({ description: expect.stringContaining('name[member]') });
  });

  it.each(OPERATIONS)('%s declares the failures of its kind', (_name, operation) => {
    const isOpen = operation.security?.length === 0;
    const wanted = [
      '400',
      ...(isOpen ? [] : ['401', '429', '500', '503']),
      ...(operation.requestBody ? ['413', '415'] : []),
    ];
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(wanted));
  });

  it('has a schema for every body of JSON and events, and names no schema that nothing uses', () => {
    const withoutSchema = ENDPOINTS.filter(
      ({ method, path, request, answers }) =>
        (method === 'post' && !request && !/[/:]cancel$/.test(path)) ||
        [request, ...Object.values(answers).map(({ content }) => content)].some((bodies) =>
          Object.entries(bodies ?? {}).some(
            ([type, schema]) => /\bjson\b|form|event-stream/.test(type) && schema === undefined,
          ),
        ),
    );
    expect(withoutSchema).toEqual([]);
    const text = JSON.stringify(document.paths);
    const unused = Object.keys(SCHEMAS).filter((name) => !text.includes(`#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });

  it('declares the failures of what is billed', () => {
    const billed = OPERATIONS.filter(([name]) =>
      /POST .*(completions|messages|generations|videos)$/.test(name),
    );
    expect(billed.length).toBeGreaterThan(4);
    for (const [, { responses }] of billed) {
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['402', '403', '404', '409', '502', '503']),
      );
    }
  });
});
