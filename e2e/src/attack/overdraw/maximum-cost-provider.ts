import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json } from '@mg/testkit';
import { answerAtMaximumCost } from './answer-at-maximum-cost.js';
import type { OverdrawCase } from './overdraw-case.js';

/** A provider on the loopback address that bills the most expensive reading of whatever it is asked. */
export interface MaximumCostProvider {
  readonly url: string;
  /** Begins a new bill for calls of this trick. */
  expectTrick(trick: OverdrawCase): void;
  /** Calls since then, and what they cost, in nano-dollars. */
  readonly bill: { readonly calls: number; readonly cost: bigint };
  close(): Promise<void>;
}

/** @throws Error when the address cannot be listened on. */
export async function startMaximumCostProvider(): Promise<MaximumCostProvider> {
  let trick: OverdrawCase | undefined;
  let bill = { calls: 0, cost: 0n };
  const server = createServer((request, response) => {
    void readArrival(request).then((body) => {
      const answer = trick && answerAtMaximumCost(request.method ?? '', request.url ?? '', body, trick);
      if (!answer) return response.writeHead(404).end('{}');
      bill = { calls: bill.calls + (answer.isPoll ? 0 : 1), cost: bill.cost + answer.cost };
      const type = Buffer.isBuffer(answer.body) ? 'audio/mpeg' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      return response.end(Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expectTrick: (next) => {
      trick = next;
      bill = { calls: 0, cost: 0n };
    },
    get bill() {
      return bill;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The texts of a form as one object, or the JSON of a body. */
async function readArrival(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    return Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    );
  }
  const value: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  return isObject(value) ? value : {};
}
