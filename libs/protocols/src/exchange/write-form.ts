import { randomUUID } from 'node:crypto';
import type { FormPart, OutgoingBody } from './exchange.js';
import { joinBytes, type StoredBytes } from './stored-bytes.js';

/**
 * Writes a form as `multipart/form-data`, parts in their order. Files outside memory are read while the form is sent.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export function writeForm(parts: readonly FormPart[]): OutgoingBody {
  const boundary = `gateway-${randomUUID()}`;
  const pieces: (Buffer | StoredBytes)[] = [];
  for (const part of parts) {
    const filename = part.filename === undefined ? '' : `; filename="${quote(part.filename)}"`;
    const type = part.contentType === undefined ? '' : `content-type: ${toHeaderText(part.contentType)}\r\n`;
    pieces.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${quote(part.name)}"${filename}\r\n${type}\r\n`,
      ),
      part.bytes,
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: joinBytes(pieces) };
}

/** As browsers do it: quotes and line breaks of a name are percent-encoded. */
function quote(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '');
}
