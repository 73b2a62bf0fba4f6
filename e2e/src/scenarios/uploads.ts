import { setTimeout as sleep } from 'node:timers/promises';
import { createGate, writeSilence } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { readGauge } from '../clients/read-gauge.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment, DeploymentKind } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const MEBIBYTE = 1024 * 1024;
const UPLOADS = 8;
/** 22 MB of sound, and 6 where neither memory nor the ingress is looked at. */
const SECONDS = { large: 1_440, small: 400 };
const CALL_MS = 90_000;
/** So much is sent, measured and sent on that a busy machine takes a while. */
const TEST_MS = 120_000;

/** Large files: they wait on disk, and memory does not grow with them. */
export function describeUploads(get: () => Deployment, kind: DeploymentKind): void {
  const record = (seconds: number) =>
    new Blob([new Uint8Array(writeSilence(seconds))], { type: 'audio/wav' });
  const one = record(kind.isOneProcess ? SECONDS.small : SECONDS.large);
  const transcribe = (model: string, recording: Blob) => {
    const form = new FormData();
    form.set('model', model);
    form.set('file', recording, 'long.wav');
    return request(get(), '/v1/audio/transcriptions', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}` },
      body: form,
      signal: AbortSignal.timeout(CALL_MS),
    });
  };

  /** Asks again after a 503, as SDKs do: while 264 MB are written, a commit may take longer than billing waits for it. */
  const transcribePatiently = async (model: string, recording: Blob) => {
    const deadline = performance.now() + CALL_MS;
    for (;;) {
      const answer = await transcribe(model, recording);
      if (answer.status !== 503 || performance.now() > deadline) return answer;
      const { retry_after = 1 } = answer.failure.detail;
      await sleep(retry_after * 1_000);
    }
  };

  const spooledBytes = () => readGauge(get(), 'gateway_spooled_bytes');

  describe('large uploads', () => {
    it(
      'are measured, and reach the second channel whole when the first one fails',
      async () => {
        const { status, headers } = await transcribe('hear-second', one);
        expect(status).toBe(200);
        const received = get()
          .upstream.calls.slice(-2)
          .map(({ model, body }) => [model, body]);
        const file = { name: 'long.wav', type: 'audio/wav', size: one.size };
        expect(received).toMatchObject([
          ['error-500', { file }],
          ['whisper-1', { file }],
        ]);
        const console = await ConsoleClient.asAdmin(get());
        const log = await waitUntil('the log', () => console.findLog(headers.get('x-request-id') ?? ''));
        expect(log.attempts).toHaveLength(2);
      },
      TEST_MS,
    );

    it(
      'are known again by their Idempotency-Key',
      async () => {
        const ask = async () => {
          const form = new FormData();
          form.set('model', 'hear-slowly');
          form.set('file', one, 'long.wav');
          const headers = { authorization: `Bearer ${KEYS.main}`, 'idempotency-key': 'a-long-recording' };
          const signal = AbortSignal.timeout(CALL_MS);
          return request(get(), '/v1/audio/transcriptions', { method: 'POST', headers, body: form, signal });
        };
        const first = await ask();
        const calls = get().upstream.calls.length;
        expect((await ask()).text).toBe(first.text);
        expect(get().upstream.calls).toHaveLength(calls);
      },
      TEST_MS,
    );

    // An ingress and several gateways have no part in this, and their memory is no one's figure.
    if (!kind.isOneProcess) return;

    it(
      'are many at once in little memory while the upstream takes its time',
      async () => {
        const recording = record(SECONDS.large);
        const gate = createGate();
        let received = 0;
        get().upstream.script('whisper-slow', {
          wait: () => {
            received += 1;
            return gate.wait();
          },
        });
        const readMemory = () => readGauge(get(), 'process_resident_memory_bytes');
        const before = await readMemory();
        const early: string[] = [];
        let isLetOn = false;
        const calls = Array.from({ length: UPLOADS }, async () => {
          const answer = await transcribePatiently('hear-slowly', recording);
          if (!isLetOn) early.push(`${answer.status} ${answer.text}`);
          return answer;
        });
        const allReceived = () => {
          expect(early).toEqual([]);
          return received === UPLOADS;
        };
        const held = await waitUntil('all recordings at the upstream', allReceived, CALL_MS)
          .then(async () => ({
            onDisk: await spooledBytes(),
            inMemory: await readGauge(get(), 'gateway_request_body_bytes'),
            ofProcess: await readMemory(),
          }))
          .finally(() => {
            isLetOn = true;
            gate.open();
          });
        expect(held.onDisk).toBe(UPLOADS * recording.size);
        expect(held.inMemory).toBeLessThan(UPLOADS * MEBIBYTE);
        for (const { status, text } of await Promise.all(calls)) {
          expect([status, text]).toEqual([200, expect.any(String)]);
        }
        const most = Math.max(held.ofProcess, await readMemory());
        // What was freed is not always collected yet; it does not grow with the files.
        expect(most - before).toBeLessThan((UPLOADS * recording.size) / 2);
        await waitUntil('nothing on disk', async () => (await spooledBytes()) === 0);
        get().upstream.script('whisper-slow', {});
      },
      TEST_MS,
    );
  });
}
