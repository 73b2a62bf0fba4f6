import { editBody } from '../splice-json.js';
import type { ExchangeBody, OutgoingBody } from './exchange.js';
import { writeForm } from './write-form.js';

/** The client's own body with the upstream's name of the model; every other byte of JSON and every other part of a form stays. */
export function renameModel(body: ExchangeBody, model: string): OutgoingBody {
  if (body.kind === 'form') {
    const renamed = body.parts.map((part) =>
      part.name === 'model' ? { ...part, bytes: Buffer.from(model) } : part,
    );
    return writeForm(renamed);
  }
  const bytes = editBody(body.bytes, new Map([['model', JSON.stringify(model)]]));
  return { contentType: 'application/json', bytes };
}
