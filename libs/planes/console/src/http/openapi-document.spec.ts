import { join } from 'node:path';
import { readEnvironment } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { createMetrics } from '@mg/runtime';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { expect, it } from 'vitest';
import { ConsoleModule } from '../console.module.js';
import type { ConsoleParts } from '../console-parts.module.js';
import { createDocument } from './openapi-document.js';

const DOCUMENT = join(import.meta.dirname, '../../openapi.json');

/** In a preview Nest reads the routes and makes nothing of what stands behind them. */
async function previewConsole(): Promise<NestFastifyApplication> {
  const environment = readEnvironment({});
  const parts = {
    environment,
    store: {},
    wallets: {},
    gateway: {},
    destinations: {},
    secretKey: deriveSecretKey('encryption-key-of-nothing'),
    jwtSecret: 'jwt-secret-of-nothing',
    metrics: createMetrics('console', environment),
  } as ConsoleParts;
  return NestFactory.create<NestFastifyApplication>(ConsoleModule.with(parts), new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}

it('is written down as it is: `npm run openapi` regenerates it', async () => {
  const document = createDocument(await previewConsole());
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(DOCUMENT);
});
