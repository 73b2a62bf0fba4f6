import { once } from 'node:events';
import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createTcpProxy, makeCertificate } from '@mg/testkit';
import { buildConnector, Pool } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const SOON = { timeout: 20_000, interval: 5 };
/** The largest stream id: says that the server goes away, and that it answers everything which came until then. */
const EVERY_STREAM = 2 ** 31 - 1;
/** More than Node's HTTP/2 holds for one connection unless it is told to, which undici has no option for. */
const LARGE_BODY_BYTES = 12_000_000;

/** One that fails after an update of undici or Node says that a reason is gone. */
describe('HTTP/2 of undici is off, since it', () => {
  it('takes an answer that was cut off for a whole one, where a GOAWAY came before', async () => {
    const { pool, sessions, sockets } = await open((stream) => {
      stream.respond();
      stream.write('half of an answer');
    });
    const call = ask(pool);
    await vi.waitUntil(() => call.text !== '', SOON);
    await goAway(pool, sessions);
    sockets[0]?.resetAndDestroy();
    expect(await call.ended).toBe('end');
    expect(call.text).toBe('half of an answer');
  });

  it('begins no call after a GOAWAY until the streams of that connection have ended', async () => {
    const streams: ServerHttp2Stream[] = [];
    const { pool, sessions, connect } = await open((stream) => {
      stream.respond();
      if (streams.push(stream) > 1) stream.end();
    });
    ask(pool);
    await vi.waitUntil(() => streams.length === 1, SOON);
    await goAway(pool, sessions);
    const waiting = ask(pool);
    await ask(connect()).ended;
    expect(waiting.starts).toBe(0);
    streams[0]?.end();
    await waiting.ended;
    expect(waiting.starts).toBe(1);
  });

  it('fails every call with a large body', async () => {
    const { pool } = await open((stream) => {
      stream.resume();
      stream.respond();
      stream.end();
    });
    expect(await ask(pool, Buffer.alloc(LARGE_BODY_BYTES)).ended).toMatchObject({
      message: 'Stream closed with error code NGHTTP2_ENHANCE_YOUR_CALM',
    });
  });

  it('sends a call again by itself', async () => {
    let seen = 0;
    const { pool } = await open((stream) => {
      seen++;
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    await ask(pool).ended;
    expect(seen).toBe(2);
  });

  it('connects for one call of a cold pool, and lets the others wait for its outcome', () => {
    const count = (allowH2: boolean): number => {
      let connecting = 0;
      const connect = () => void connecting++;
      const pool = new Pool('https://upstream.test', { connect, allowH2 });
      onTestFinished(() => pool.destroy());
      for (let call = 0; call < 5; call++) ask(pool);
      return connecting;
    };
    expect({ http2: count(true), http1: count(false) }).toEqual({ http2: 1, http1: 5 });
  });
});

/** A server that speaks HTTP/2, and a pool as ours but that it does so, too. */
async function open(answer: (stream: ServerHttp2Stream) => void) {
  const certificate = makeCertificate('localhost');
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];
  const server = createSecureServer({ ...certificate, maxSessionMemory: 1_000 });
  server.on('session', (session) => sessions.push(session.on('error', () => undefined)));
  server.on('stream', (stream) => answer(stream.on('error', () => undefined)));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const at = { host: 'localhost', port: 0 };
  const proxy = await createTcpProxy(`https://localhost:${port}`, at, (from, to) => {
    sockets.push(to);
    from.pipe(to);
  });
  const connect = (): Pool => {
    const connector = buildConnector({ allowH2: true, ca: certificate.cert });
    const pool = new Pool(proxy.url, { connect: connector, pipelining: 1, allowH2: true });
    onTestFinished(() => pool.destroy());
    return pool;
  };
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { pool: connect(), connect, sessions, sockets };
}

/** Until both sides have told each other. */
async function goAway(pool: Pool, [session]: readonly ServerHttp2Session[]): Promise<void> {
  if (!session) throw new Error('there is no connection');
  const told = [once(pool, 'disconnect'), once(session, 'goaway')];
  session.goaway(constants.NGHTTP2_NO_ERROR, EVERY_STREAM);
  await Promise.all(told);
}

/** What is seen of a call: how often it was begun, what came, and its end or error. */
function ask(pool: Pool, body = Buffer.from('{}')) {
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const call = { starts: 0, text: '', ended };
  pool.dispatch(
    { method: 'POST', path: '/', body },
    {
      onRequestStart: () => void call.starts++,
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => void (call.text += chunk.toString()),
      onResponseEnd: () => resolve('end'),
      onResponseError: (_controller, error) => resolve(error),
    },
  );
  return call;
}
