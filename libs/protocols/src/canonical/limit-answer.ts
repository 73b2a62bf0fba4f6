import type { Block, Citation, MediaSource, Signature } from './blocks.js';
import { readCallId } from './call-ids.js';
import { MOST_CARRIED } from './carry-signature.js';
import { digestId } from './digest-id.js';
import { throwUpstreamError } from './refuse.js';
import type { CanonicalReply } from './reply.js';
import { LONGEST_NAME_READ } from './tool-name.js';

/** Of an answer's id, in characters: it is written into each event and each item of an answer. */
const LONGEST_ID = 512;
/** Of addresses and titles of what is cited: maps compare longer ones of one length with each other, and each citation repeats them. */
const LONGEST_SOURCE = 8 * 1024;
/** Characters of addresses, titles and quotes of one answer, which are written in one step. */
const MOST_CITED = 2 * 1024 * 1024;
/** Of the address of a picture, in characters: parsing one of megabytes takes up to 350 ms. */
export const LONGEST_ADDRESS = 16 * 1024;
/** Of a media type; RFC 6838 has 255. */
const LONGEST_MEDIA_TYPE = 256;
/** Of a refusal, or of the stop string that was met: both are written in one step. */
const LONGEST_END = 64 * 1024;

export const TOO_LONG_NAMES = 'its names, signatures or addresses are longer than any provider gives';

/** The id of an answer; a longer one than providers give becomes short. */
export function readReplyIdText(id: string): string {
  return id.length > LONGEST_ID ? digestId(id) : id;
}

/** Bounds what an answer, whole or in pieces, holds beside its texts, arguments and data: all of that is written in one step. */
export class AnswerBounds {
  #proofs = 0;
  #cited = 0;

  /** A block with short ids, and with the citations that have room; `undefined` where it holds more than any answer does. */
  takeBlock(block: Block): Block | undefined {
    switch (block.type) {
      case 'text':
        if (!block.citations) return block;
        return { ...block, citations: block.citations.filter((citation) => this.takesCitation(citation)) };
      case 'reasoning':
        return this.takesProof(block.signature) && this.takesProof(block.redacted) ? block : undefined;
      case 'tool-call': {
        if (block.name.length > LONGEST_NAME_READ || !this.takesProof(block.signature)) return undefined;
        const id = readCallId(block.id);
        return id === block.id ? block : { ...block, id };
      }
      case 'media':
        return isNamedBriefly(block.source) ? block : undefined;
      case 'opaque':
      case 'tool-result':
        return block;
    }
  }

  /** Whether a citation is passed on. */
  takesCitation({
    url = '',
    title = '',
    quote = '',
  }: Pick<Citation, 'url' | 'title'> & Partial<Citation>): boolean {
    if (url.length > LONGEST_SOURCE || title.length > LONGEST_SOURCE) return false;
    this.#cited += url.length + title.length + quote.length;
    return this.#cited <= MOST_CITED;
  }

  /** Whether the proof of a thought or a call may be passed on. */
  takesProof(signature: Signature | undefined): boolean {
    this.#proofs += signature?.value.length ?? 0;
    return this.#proofs <= MOST_CARRIED;
  }
}

function isNamedBriefly(source: MediaSource): boolean {
  if (source.type === 'url' && source.url.length > LONGEST_ADDRESS) return false;
  return source.type !== 'bytes' || source.mediaType.length <= LONGEST_MEDIA_TYPE;
}

/** Whether what a choice ended with is no longer than any provider gives. */
export function endsBriefly(end: {
  readonly refusal: string | undefined;
  readonly stopSequence: string | undefined;
}): boolean {
  return (end.refusal?.length ?? 0) <= LONGEST_END && (end.stopSequence?.length ?? 0) <= LONGEST_END;
}

/** A whole answer within the same bounds. @throws GatewayError `upstream_error` where it is beyond them. */
export function limitReply(reply: CanonicalReply): CanonicalReply {
  const bounds = new AnswerBounds();
  const choices = reply.choices.map((choice) => {
    if (!endsBriefly(choice)) refuseNames();
    return { ...choice, blocks: choice.blocks.map((block) => bounds.takeBlock(block) ?? refuseNames()) };
  });
  return { ...reply, id: readReplyIdText(reply.id), choices };
}

function refuseNames(): never {
  return throwUpstreamError(`The answer of the upstream cannot be read: ${TOO_LONG_NAMES}.`);
}
