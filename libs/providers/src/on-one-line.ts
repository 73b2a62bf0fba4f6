/** JSON without line breaks: they stand between its values alone. */
export function onOneLine(json: Buffer): Buffer {
  if (!json.includes('\n') && !json.includes('\r')) return json;
  return Buffer.from(json.toString('latin1').replaceAll(/[\r\n]/g, ' '), 'latin1');
}
