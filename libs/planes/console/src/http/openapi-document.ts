import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { z } from 'zod';
import { declareFailures } from './declare-failures.js';
import { toOpenApiSchema } from './openapi-schema.js';

/** `/docs` for people and `/openapi.json` for programs. */
export function serveDocuments(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => createDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Model Gateway: Console API',
  });
}

/** The Console's OpenAPI document, made from the routes and from the schemas that check them. */
export function createDocument(app: NestFastifyApplication): OpenAPIObject {
  const outline = new DocumentBuilder()
    .setTitle('Model Gateway: Console')
    .setDescription(
      'Users, API keys, wallets, logs, video tasks, channels and models. Money is a decimal string in USD.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  const document = SwaggerModule.createDocument(app, outline, {
    standardSchemaConverter: (schema, { schemaType }) =>
      schema instanceof z.ZodType ? toOpenApiSchema(schema, schemaType) : undefined,
  });
  return declareFailures(allowEmptyBodies(dropWildcards(document)));
}

/** A path that ends in `*` is written `{path}` in the document; the handler's own name for it would stand beside it. */
function dropWildcards(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.patch]) {
      if (!operation?.parameters) continue;
      operation.parameters = operation.parameters.filter(
        (parameter) => !('name' in parameter) || parameter.name !== '*',
      );
    }
  }
  return document;
}

/** No body is an empty one: it is only required where one of its fields is. */
function allowEmptyBodies(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.post, item.put, item.patch]) {
      const body = operation?.requestBody;
      if (!body || !('content' in body)) continue;
      const schema = body.content['application/json']?.schema;
      body.required = schema !== undefined && 'required' in schema && (schema.required?.length ?? 0) > 0;
    }
  }
  return document;
}
