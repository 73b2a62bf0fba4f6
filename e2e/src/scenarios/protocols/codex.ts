import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { createOpenAi } from '../../clients/openai-client.js';
import type { Deployment } from '../../deployment/deployment.js';
import { REPOSITORY } from '../../deployment/repository.js';
import { OPENAI, slugOver, upstreamModelOver, type Wire, WIRES } from '../../deployment/wires.js';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Input = OpenAI.Responses.ResponseInputItem[];
type Recorded = Body & { readonly input: Input };
type Item = OpenAI.Responses.ResponseOutputItem;

/** What Codex sends, recorded: tools in namespaces and by grammar, calls of both kinds with their results. */
const RECORDED = join(REPOSITORY, 'libs/protocols/src/openai-responses/__golden__/codex-tools/request.json');
const BEHAVIOUR = 'writes-a-file';
const WISH = 'Write the file /tmp/codex/made.txt with the text: fox';

/** Speak the Responses API themselves. */
const NATIVE = [OPENAI, ...WIRES.filter(({ name }) => name === 'responses')];
const OTHERS = WIRES.filter(({ name }) => name !== 'responses');

/** `/v1/responses` as Codex sends it, over every kind of upstream: the short form of `npm run clients`. */
export function describeCodex(get: () => Deployment): void {
  const compose = (wire: Wire) => {
    const recorded = readFileSync(RECORDED, 'utf8').replace('Write a file.', WISH);
    return { ...(JSON.parse(recorded) as Recorded), model: slugOver(wire, BEHAVIOUR) };
  };

  describe('Codex', () => {
    it.each(OTHERS)('writes a file over $name', async (wire) => {
      const body = compose(wire);
      // The first call ends with the user's wish, the second has all that was recorded before its own result.
      const wishAt = body.input.findIndex((item) => JSON.stringify(item).includes(WISH));
      const called = await answer({ ...body, input: body.input.slice(0, wishAt + 1) });
      const [call] = called.filter((item) => item.type === 'function_call');
      expect(call).toMatchObject({ name: 'exec_command', namespace: 'functions' });
      expect(JSON.parse(call?.arguments ?? '')).toEqual({ cmd: 'printf fox > /tmp/codex/made.txt' });
      const result = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'ok' };
      const said = await answer({ ...body, input: [...body.input, ...(called as Input), result] });
      expect(JSON.stringify(said)).toContain('/tmp/codex/made.txt is written.');
    });

    it.each(NATIVE)('reaches $name with all it said', async (wire) => {
      const body = compose(wire);
      await answer(body);
      const arrived = get().upstream.calls.at(-1)?.body;
      // The cap is the model's, which Codex leaves out.
      const model = upstreamModelOver(wire, BEHAVIOUR);
      expect(arrived).toEqual({ ...body, model, max_output_tokens: 8_192 });
    });
  });

  /** Items of the answer, as the stream brings them one by one. */
  async function answer(body: Body): Promise<Item[]> {
    const items: Item[] = [];
    for await (const event of await createOpenAi(get()).responses.create(body)) {
      if (event.type === 'response.output_item.done') items.push(event.item);
    }
    return items;
  }
}
