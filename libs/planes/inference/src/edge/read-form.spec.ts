import { type AddressInfo, connect, type Socket } from 'node:net';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { GatewayError } from '@mg/contract';
import { gatherBytes } from '@mg/protocols';
import { createLogger } from '@mg/runtime';
import fc from 'fast-check';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { drainBody } from './drain-body.js';
import { fingerprintForm, type FormBody, type FormLimits, readForm } from './read-form.js';
import { prepareDirectory, Spool } from './spool.js';

const LIMITS: FormLimits = {
  maxFiles: 3,
  maxBytesPerFile: 1_000,
  maxBytesInMemory: 1_000,
  maxFields: 4,
  maxBytesPerField: 100,
  maxBytes: 10_000,
};
const BUDGET_BYTES = 40_000;
const SPOOL_BYTES = 1_000_000;
/** Files beyond a kilobyte go to disk. */
const SPOOLING: FormLimits = { ...LIMITS, maxBytesPerFile: 300_000, maxBytes: 400_000 };
const TYPE = 'multipart/form-data; boundary=edge';

describe('a form', () => {
  let server: FastifyInstance;
  let budget: BodyBudget;
  let onDisk: BodyBudget;
  let spool: Spool;
  let directory: string;
  let limits: FormLimits;
  let last: FormBody | undefined;
  let port: number;

  beforeEach(async () => {
    budget = new BodyBudget(BUDGET_BYTES);
    onDisk = new BodyBudget(SPOOL_BYTES);
    directory = await mkdtemp(join(tmpdir(), 'spool-'));
    spool = new Spool(
      await prepareDirectory(directory, createLogger({ plane: 'test', level: 'silent' })),
      onDisk,
    );
    limits = LIMITS;
    last = undefined;
    server = fastify({ forceCloseConnections: true });
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', (_request, _payload, done) => done(null));
    server.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof GatewayError)) throw error;
      await drainBody(request, reply);
      return reply.code(error.status).send({ code: error.code, param: error.param ?? null });
    });
    server.post('/', async (request) => {
      const lease = budget.open(String(request.headers['x-caller'] ?? 'one'));
      try {
        last = await readForm(request, limits, { lease, spool });
        return { held: budget.heldBytes, spooled: onDisk.heldBytes, prints: await printTwice(last) };
      } finally {
        lease.release();
      }
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    port = (server.server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    await server.close();
    if (budget.heldBytes > 0) throw new Error(`${budget.heldBytes} bytes are still held`);
    await findNothingLeft();
    await rm(directory, { recursive: true });
  });

  const send = (body: FormData | string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
  const sendText = (body: string) => send(body, { 'content-type': TYPE });
  const part = (name: string, value: string, more = '') =>
    `--edge\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

  it.each([
    ['model', part('model', 'a') + part('model', 'b')],
    ['Model', part('model', 'a') + part('Model', 'b')],
    ['model[]', part('model[]', 'a')],
  ])('H1: is refused as %s when two servers could read it differently', async (param, parts) => {
    const reply = await sendText(`${parts}--edge--\r\n`);
    expect([reply.status, await reply.json()]).toEqual([400, { code: 'invalid_request', param }]);
  });

  it('M5: that comes at once is read on in one turn of the event loop after another', async () => {
    const PIECES = 30;
    const piece = Buffer.alloc(64 * 1024, 'a');
    const [begin, end] = ['--edge\r\ncontent-disposition: form-data; name="a"\r\n\r\n', '\r\n--edge--\r\n'];
    const raw = Readable.from([
      Buffer.from(begin),
      ...Array.from({ length: PIECES }, () => piece),
      Buffer.from(end),
    ]);
    const most = PIECES * piece.length;
    const large = { ...LIMITS, maxBytesPerField: most, maxBytes: 2 * most };
    const request = { headers: { 'content-type': TYPE }, raw } as unknown as FastifyRequest;
    const lease = new BodyBudget(8 * most).open('one');
    const reading = readForm(request, large, { lease, spool });
    const counted = { turns: 0, isOver: false };
    void reading.finally(() => (counted.isOver = true));
    for (; !counted.isOver; counted.turns++) await setImmediate();
    expect((await reading).parts).toMatchObject([{ name: 'a', bytes: { length: most } }]);
    expect(counted.turns).toBeGreaterThanOrEqual(PIECES);
    lease.release();
  });

  it('is read part by part, in order, as the client named them', async () => {
    const form = new FormData();
    form.append('prompt', 'a fox, größer');
    form.append('image[]', new Blob([Uint8Array.of(1, 0, 255)], { type: 'image/png' }), 'a.png');
    form.append('image[]', new Blob([], { type: 'image/png' }), 'b.png');
    form.append('n', '2');
    form.append('empty', '');
    expect((await send(form)).status).toBe(200);
    expect(last?.parts).toEqual([
      { name: 'prompt', bytes: Buffer.from('a fox, größer') },
      { name: 'image[]', filename: 'a.png', contentType: 'image/png', bytes: Buffer.from([1, 0, 255]) },
      { name: 'image[]', filename: 'b.png', contentType: 'image/png', bytes: Buffer.alloc(0) },
      { name: 'n', bytes: Buffer.from('2') },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ]);
  });

  it('keeps bytes that only look like text when their type says so', async () => {
    await sendText(
      `--edge\r\ncontent-disposition: form-data; name="image"\r\ncontent-type: image/png\r\n\r\nxyz\r\n--edge--\r\n`,
    );
    expect(last?.parts).toEqual([{ name: 'image', contentType: 'image/png', bytes: Buffer.from('xyz') }]);
  });

  it('may hold nothing', async () => {
    expect((await sendText('--edge--\r\n')).status).toBe(200);
    expect(last?.parts).toEqual([]);
  });

  it.each<[string, string, number, string | null]>([
    ['no last boundary', part('a', 'b'), 400, 'body'],
    ['a file cut short', part('a', 'b', '; filename="f"').slice(0, -6), 400, 'body'],
    ['no boundary at all', 'hello', 400, 'body'],
    ['an empty body', '', 400, 'body'],
    [
      'a part without a name',
      '--edge\r\ncontent-disposition: form-data\r\n\r\nx\r\n--edge--\r\n',
      400,
      'body',
    ],
    ['too many fields', `${part('a', 'b').repeat(5)}--edge--\r\n`, 400, 'body'],
    ['too many files', `${part('a', 'b', '; filename="f"').repeat(4)}--edge--\r\n`, 400, 'body'],
    ['parts that are nothing', `${'--edge\r\nx: y\r\n\r\n\r\n'.repeat(20)}--edge--\r\n`, 400, 'body'],
    ['a long field', `${part('prompt', 'x'.repeat(101))}--edge--\r\n`, 400, 'prompt'],
    ['a long file', `${part('image', 'x'.repeat(1_001), '; filename="f"')}--edge--\r\n`, 400, 'image'],
    [
      'a long second file',
      `${part('image[]', 'x', '; filename="f"')}${part('image[]', 'x'.repeat(1_001), '; filename="g"')}--edge--\r\n`,
      400,
      'image[1]',
    ],
    ['more than the whole may be', 'x'.repeat(10_001), 413, 'body'],
  ])('is refused: %s', async (_name, body, status, param) => {
    const answer = await sendText(body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ param });
  });

  it('takes exactly the longest file', async () => {
    expect((await sendText(`${part('image', 'x'.repeat(1_000), '; filename="f"')}--edge--\r\n`)).status).toBe(
      200,
    );
  });

  it.each([
    ['application/json', 415],
    ['multipart/mixed; boundary=edge', 415],
    ['multipart/form-data', 400],
  ])('must come with the right type: %s', async (type, status) => {
    const answer = await send('--edge--\r\n', { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ param: 'Content-Type' });
  });

  it('however damaged, is read or refused, and nobody waits for ever', async () => {
    const pieces = fc.constantFrom(
      part('prompt', 'a fox'),
      part('image', 'x'.repeat(200), '; filename="f"'),
      part('empty', ''),
      '--edge\r\n',
      '--edge--\r\n',
      '--edge--',
      '\r\n',
      '--edge\r\ncontent-disposition: form-data; name="a"; filename=""\r\n\r\n',
      'content-type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\n',
      '\u0000\u00ff-\r--edg',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), fc.nat(400), async (list, length) => {
        const body = list.join('');
        const answer = await sendText(length < body.length ? body.slice(0, length) : body);
        expect([200, 400]).toContain(answer.status);
        await answer.text();
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  it('that never ends is cut', async () => {
    const socket = open('transfer-encoding: chunked');
    const flood = () => {
      if (!socket.destroyed && socket.write(`100000\r\n${'x'.repeat(1024 * 1024)}\r\n`))
        void setImmediate().then(flood);
    };
    socket.on('drain', flood);
    flood();
    await vi.waitFor(() => expect(socket.destroyed).toBe(true), { timeout: 30_000 });
  });

  it('whose client leaves holds nothing, however often', async () => {
    const before = await countSpooledFiles();
    const sockets = Array.from({ length: 30 }, () => open('content-length: 9000'));
    for (const socket of sockets) socket.write(part('image', 'x'.repeat(500), '; filename="f"'));
    await expect.poll(() => budget.heldBytes).toBeGreaterThan(10_000);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => budget.heldBytes).toBe(0);
    expect(await countSpooledFiles()).toBe(before);
  });

  it('finds no room when others hold it all, and its caller may come again', async () => {
    const hold = async (caller: string, bytes: number) => {
      const socket = open(`content-length: 9999\r\nx-caller: ${caller}`);
      const held = budget.heldBytes;
      socket.write(part('a', 'x'.repeat(bytes), '; filename="f"'));
      await vi.waitFor(() => expect(budget.heldBytes).toBeGreaterThan(held), {
        timeout: 30_000,
        interval: 2,
      });
      return socket;
    };
    const sockets: Socket[] = [];
    for (let i = 0; i < 20; i += 1) sockets.push(await hold('one', 930));
    expect((await sendText(`${part('image', 'x'.repeat(900), '; filename="f"')}--edge--\r\n`)).status).toBe(
      429,
    );
    for (let i = 0; i < 19; i += 1) sockets.push(await hold('two', 930));
    const third = await send(`${part('image', 'x'.repeat(990), '; filename="f"').repeat(3)}--edge--\r\n`, {
      'content-type': TYPE,
      'x-caller': 'three',
    });
    expect(third.status).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => budget.heldBytes).toBe(0);
    expect((await sendText('--edge--\r\n')).status).toBe(200);
  });

  it('keeps large files on disk and small ones in memory', async () => {
    allowLargeFiles();
    const form = new FormData();
    form.append('small', new Blob(['x'.repeat(900)]), 'small');
    form.append('large', new Blob(['y'.repeat(250_000)]), 'large');
    form.append('prompt', 'after');
    const { held, spooled } = (await (await send(form)).json()) as { held: number; spooled: number };
    expect(spooled).toBe(250_000);
    expect(held).toBeLessThan(2_000);
    expect(last?.parts.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['small', 900],
      ['large', 250_000],
      ['prompt', 5],
    ]);
  });

  it('gives the bytes of a large file until the call ends, and no other bytes after', async () => {
    allowLargeFiles();
    const form = new FormData();
    form.append('large', new Blob(['0123456789'.repeat(20_000)]), 'large');
    expect((await send(form)).status).toBe(200);
    const [large] = last?.parts ?? [];
    await expect(gatherBytes(large?.bytes ?? Buffer.alloc(0))).rejects.toThrow('file closed');
  });

  it('is refused before the rest has come when a file is not what it should be', async () => {
    allowLargeFiles();
    const looked: string[] = [];
    limits = {
      ...SPOOLING,
      checkHead: (_part, head, param) => {
        looked.push(param);
        if (head.toString().startsWith('BAD')) throw new GatewayError('invalid_request', 'Bad.', { param });
      },
    };
    const first = part('image', 'x'.repeat(200), '; filename="f"');
    const second = part('image', `BAD${'x'.repeat(2_000)}`, '; filename="f"');
    const socket = open(`content-length: ${first.length + second.length}`);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(first + second.slice(0, 1_000));
    await expect.poll(() => looked).toEqual(['image', 'image[1]']);
    await expect.poll(() => budget.heldBytes).toBe(0);
    socket.write(second.slice(1_000));
    await expect.poll(() => answer).toContain('"param":"image[1]"');
    socket.destroy();
  });

  it('leaves no file behind when its client goes in the middle of a large one', async () => {
    allowLargeFiles();
    const sockets = Array.from({ length: 10 }, () => open('content-length: 300000'));
    for (const socket of sockets)
      socket.write(part('image', 'x'.repeat(20_000), '; filename="f"').slice(0, -2));
    await expect.poll(() => onDisk.heldBytes).toBeGreaterThan(100_000);
    await expect.poll(() => listOpenFiles(directory)).toHaveLength(10);
    // Nor when the process is killed: they have no names, once they are open.
    await expect.poll(() => readdir(join(directory, 'spool'))).toEqual([]);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => [onDisk.heldBytes, budget.heldBytes]).toEqual([0, 0]);
  });

  it('finds no room on a full disk, and its caller may come again', async () => {
    allowLargeFiles();
    const large = () => {
      const form = new FormData();
      for (const name of ['a', 'b', 'c']) form.append(name, new Blob(['x'.repeat(120_000)]), name);
      return form;
    };
    const socket = open('content-length: 390000');
    socket.write(part('image', 'x'.repeat(290_000), '; filename="f"').slice(0, -2));
    await expect.poll(() => onDisk.heldBytes).toBeGreaterThan(250_000);
    expect((await send(large())).status).toBe(429);
    expect((await send(large(), { 'x-caller': 'two' })).status).toBe(200);
    socket.destroy();
    await expect.poll(() => onDisk.heldBytes).toBe(0);
    expect((await send(large())).status).toBe(200);
  });

  it('is known again whatever its boundary, and not when a part differs', async () => {
    allowLargeFiles();
    const fingerprintOf = async (value: string) => {
      const form = new FormData();
      form.append('prompt', value);
      form.append('file', new Blob([value.repeat(200_000)]), 'long');
      const { prints } = (await (await send(form)).json()) as { prints: string[] };
      expect(prints[0]).toBe(prints[1]);
      return prints[0];
    };
    expect(await fingerprintOf('a')).toBe(await fingerprintOf('a'));
    expect(await fingerprintOf('a')).not.toBe(await fingerprintOf('b'));
  });

  /** Others keep files of their own among the temporary ones. */
  async function countSpooledFiles(): Promise<number> {
    const names = [...(await readdir(tmpdir())), ...(await readdir(join(directory, 'spool')))];
    return names.filter((name) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)).length;
  }

  async function findNothingLeft(): Promise<void> {
    const named = await readdir(join(directory, 'spool'));
    if (named.length > 0) throw new Error(`${named.length} spooled files still have names`);
    while ((await listOpenFiles(directory)).length > 0) await setImmediate();
    if (onDisk.heldBytes > 0) throw new Error(`${onDisk.heldBytes} bytes are still on disk`);
  }

  function allowLargeFiles(): void {
    limits = SPOOLING;
    budget = new BodyBudget(SPOOL_BYTES);
  }

  function open(headers: string): Socket {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${TYPE}\r\n${headers}\r\n\r\n`);
    return socket;
  }
});

async function printTwice(form: FormBody): Promise<string[]> {
  const prints = [await fingerprintForm(form.parts), await fingerprintForm(form.parts)];
  return prints.map((print) => print.toString('hex'));
}

/** Files of a directory that this process has open, though they have no name any more. */
async function listOpenFiles(directory: string): Promise<string[]> {
  const ids = await readdir('/proc/self/fd').catch(() => []);
  const names = await Promise.all(ids.map((id) => readlink(`/proc/self/fd/${id}`).catch(() => '')));
  return names.filter((name) => name.startsWith(directory));
}
