import { generateKeyPairSync } from 'node:crypto';
import { CANARY, PROVIDER_KEYS } from './credentials.js';
import type { Wire } from './wires.js';

/** A channel of a cloud that serves other makers' models in its own way. */
export interface Cloud extends Wire {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether its settings hold the credential, so that it has no API key. */
  readonly isKeyless: boolean;
}

/** @param upstreamUrl address at which the token server of the service account stands too. */
export function listClouds(upstreamUrl: string): readonly Cloud[] {
  const aws = {
    region: 'eu-west-1',
    access_key_id: PROVIDER_KEYS[0],
    secret_access_key: `${CANARY}-aws-secret`,
  };
  const google = { project: 'acme-1', location: 'us-central1', service_account: writeAccount(upstreamUrl) };
  return CLOUDS.map((cloud) => {
    if (cloud.name === 'bedrock-nova')
      return { ...cloud, settings: { region: aws.region }, isKeyless: false };
    if (cloud.type === 'bedrock') return { ...cloud, settings: aws, isKeyless: true };
    if (cloud.type === 'vertex') return { ...cloud, settings: google, isKeyless: true };
    const version = cloud.name === 'azure-responses' ? 'v1' : '2024-10-21';
    return { ...cloud, settings: { api_version: version }, isKeyless: false };
  });
}

/** Each way in which a cloud speaks: what its channels and the models behind them are called. */
export const CLOUDS: readonly Wire[] = [
  { name: 'bedrock-claude', type: 'bedrock', path: '', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
  { name: 'bedrock-nova', type: 'bedrock', path: '', model: 'us.amazon.nova-2-lite-v1:0' },
  { name: 'vertex-gemini', type: 'vertex', path: '', model: 'gemini-3.5-flash' },
  { name: 'vertex-claude', type: 'vertex', path: '', model: 'claude-sonnet-4-5@20250929' },
  { name: 'azure-chat', type: 'azure-openai', path: '', model: 'gpt-5.1' },
  { name: 'azure-responses', type: 'azure-openai', path: '', model: 'codex-mini-latest' },
];

/** The key file of a service account, whose token server is the fake upstream's. */
function writeAccount(upstreamUrl: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify({
    type: 'service_account',
    client_email: 'gateway@acme-1.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: 'key-1',
    token_uri: `${upstreamUrl}/token`,
  });
}
