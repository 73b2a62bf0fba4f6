import { describe, expect, it } from 'vitest';
import { request } from '../clients/gateway-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { DocumentChecker, type OpenApiDocument } from './document-checker.js';
import { observeExchanges } from './observe-exchanges.js';

export interface WatchedDocument {
  readonly checker: DocumentChecker;
  /** Stops watching. */
  stop(): void;
}

/** An upstream that tells its usage in texts. In the native lane its bytes are the client's. */
const LIAR = '"model":"usage-text"';

/** Compares every call that is made to a deployment from now on with the deployment's own `/openapi.json`. */
export async function watchDocument(deployment: Deployment): Promise<WatchedDocument> {
  const { text } = await request(deployment, '/openapi.json');
  const checker = new DocumentChecker(JSON.parse(text) as OpenApiDocument);
  const origins = [deployment.gatewayUrl, ...deployment.gateways];
  const stop = observeExchanges(origins, (exchange) => {
    if (!exchange.sent?.includes(LIAR)) checker.check(exchange);
  });
  return { checker, stop };
}

/** Fewer than these are a sign that nobody watched. */
const FEWEST_COMPARED = 40;

/** What the calls of all scenarios have shown. It has to come after them. */
export function describeDocument(get: () => DocumentChecker): void {
  describe('the OpenAPI document', () => {
    it('describes every answer of the scenarios, and every request that was taken', () => {
      const { problems, compared } = get();
      expect(compared.size).toBeGreaterThan(FEWEST_COMPARED);
      expect(Object.fromEntries(problems)).toEqual({});
    });
  });
}
