import { BufferedBody } from './buffered-body.js';
import { type BodyReader, type UpstreamCall, UpstreamFailure, type UpstreamReply } from './upstream-call.js';

/** An answer made in this process. */
export interface LocalReplySource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Makes a simulated provider look like any other upstream to the pipeline. */
export function callLocally(answer: (signal: AbortSignal) => LocalReplySource): UpstreamCall {
  const controller = new AbortController();
  const source = answer(controller.signal);
  const body = new BufferedBody();
  let gate: Promise<void> | undefined;
  let open: () => void = () => {};
  let pumping = false;

  const reply: UpstreamReply = {
    status: source.status,
    headers: { ...source.headers },
    read(reader: BodyReader) {
      body.attach(reader);
      if (!pumping) void pump();
      pumping = true;
    },
    markBegun() {},
    pause() {
      gate ??= new Promise((resolve) => (open = resolve));
    },
    resume() {
      gate = undefined;
      open();
    },
  };

  async function pump(): Promise<void> {
    try {
      for await (const chunk of source.chunks) {
        if (body.ended) return;
        body.data(chunk);
        await gate;
      }
      body.end();
    } catch (error) {
      body.fail(new UpstreamFailure('broken', error instanceof Error ? error.message : String(error)));
    }
  }

  return {
    reply: Promise.resolve(reply),
    abort() {
      body.fail(new UpstreamFailure('aborted', 'the call was ended by the gateway'));
      controller.abort();
      open();
    },
  };
}
