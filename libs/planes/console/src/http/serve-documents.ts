import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** `/docs` for people and `/openapi.json` for programs, both made from the routes themselves. */
export function serveDocuments(app: NestFastifyApplication): void {
  const outline = new DocumentBuilder()
    .setTitle('Model Gateway: Console')
    .setDescription('Users, API keys, wallets, logs, channels and models. Money is a decimal string in USD.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, outline), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Model Gateway: Console API',
  });
}
