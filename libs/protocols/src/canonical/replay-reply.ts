import type { EventWriter } from './event-writer.js';
import type { CanonicalReply } from './reply.js';

/** Writes a whole reply as a stream: some upstreams answer whole although they were asked to stream. */
export function replayReply(reply: CanonicalReply, writer: EventWriter): void {
  writer.start(reply.id, reply.model, reply.created);
  reply.choices.forEach((choice, index) => {
    for (const block of choice.blocks) writer.open(index, block);
    writer.close(index);
    if (choice.logprobs) writer.logprobs(index, choice.logprobs);
    const { stop, stopSequence, refusal } = choice;
    writer.endChoice(index, { stop, stopSequence, refusal });
  });
  writer.usage(reply.usage);
  writer.end();
}
