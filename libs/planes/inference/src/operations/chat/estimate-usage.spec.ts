import { expect, it } from 'vitest';
import { TokenCounter } from '../../call/token-counter.js';
import type { ChatRequest } from './chat-request.js';
import { estimatePrompt } from './estimate-usage.js';

const STEP_MS = 4;

/** The texts of a prompt whose listing takes some turns of the event loop. */
function* listSlowly() {
  for (let steps = 0; steps < 5; steps++) {
    const endMs = performance.now() + STEP_MS;
    while (performance.now() < endMs);
    yield;
  }
  return ['a prompt'];
}

it('whoever stops the process waits for a prompt whose texts are still being listed', async () => {
  const counter = new TokenCounter();
  const request = {
    protocol: { listPromptTexts: listSlowly },
    envelope: { parsed: {} },
    body: Buffer.from('a body that is longer than its prompt'),
  } as unknown as ChatRequest;
  const settled: number[] = [];
  const settle = async () => settled.push((await estimatePrompt(request, counter)).inputTokens);
  void settle();
  await counter.whenIdle();
  expect(settled).toHaveLength(1);
  await counter.close();
});
