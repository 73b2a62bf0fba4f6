import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that signs itself, for a server of a test; whoever trusts it names it as `ca`. Both are PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const VALID_FROM = '250101000000Z';
const VALID_UNTIL = '491231000000Z';

/** Makes a certificate for a host, by the rules of RFC 5280. */
export function makeCertificate(host: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(value(0x31, sequence(COMMON_NAME, value(0x0c, Buffer.from(host)))));
  const names = value(0x04, sequence(value(0x82, Buffer.from(host))));
  const toSign = sequence(
    value(0xa0, value(0x02, Buffer.of(2))),
    value(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(value(0x17, Buffer.from(VALID_FROM)), value(0x17, Buffer.from(VALID_UNTIL))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    value(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, names))),
  );
  const signature = value(0x03, Buffer.of(0), sign('sha256', toSign, privateKey));
  const certificate = sequence(toSign, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One value of DER: its type, its length, its content. */
function value(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [type, length] : [type, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return value(0x30, ...parts);
}
