import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { declareFailures } from './declare-failures.js';

/** `/docs` for people and `/openapi.json` for programs, both made from the routes themselves. */
export function serveDocuments(app: NestFastifyApplication): void {
  const outline = new DocumentBuilder()
    .setTitle('Model Gateway: Console')
    .setDescription(
      'Users, API keys, wallets, logs, video tasks, channels and models. Money is a decimal string in USD.',
    )
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  SwaggerModule.setup(
    'docs',
    app,
    () => declareFailures(dropWildcards(SwaggerModule.createDocument(app, outline))),
    {
      jsonDocumentUrl: 'openapi.json',
      raw: ['json'],
      customSiteTitle: 'Model Gateway: Console API',
    },
  );
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
