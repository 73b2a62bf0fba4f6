import { type Channel, MODEL_LIST_MS, type ModelListOutcome } from '@mg/contract';
import { addressModelList, findBaseUrl, findProvider } from '@mg/providers';
import { fetchModelList } from '@mg/transport';
import { failure, findKeyProblem, hideSecrets } from './probe-outcome.js';
import type { TestParts } from './test-channel.js';

const MOST_MODELS = 2_000;
const LONGEST_NAME = 200;

type ListParts = Pick<TestParts, 'findChannel' | 'installation' | 'keys'>;

/** Asks the provider of a channel which models its credential may use. Never rejects. */
export async function listModels(parts: ListParts, id: string): Promise<ModelListOutcome> {
  try {
    const channel = await parts.findChannel(id);
    if (!channel) return nothing('The channel is gone.', true);
    const problem = findKeyProblem(channel);
    return problem === undefined ? await ask(channel, parts) : nothing(problem, true);
  } catch (error) {
    return nothing(error instanceof Error ? error.message : String(error), true);
  }
}

async function ask(channel: Channel, { installation, keys }: ListParts): Promise<ModelListOutcome> {
  const provider = findProvider(channel.type);
  const baseUrl = provider && findBaseUrl(provider, channel.baseUrl, channel.settings);
  const list = provider?.modelList;
  if (!list || baseUrl === undefined) {
    return nothing(`Channels of type ${channel.type} have no list of models to ask for.`, false);
  }
  const { json, ...outcome } = await fetchModelList(
    addressModelList(list, provider, { baseUrl, apiKey: keys.next(channel) }),
    { connectMs: channel.timeouts.connectMs, totalMs: MODEL_LIST_MS },
    installation,
  );
  const models = list.read(json).filter(({ name }) => name !== '' && name.length <= LONGEST_NAME);
  return {
    ...outcome,
    message: hideSecrets(outcome.message, channel),
    supported: true,
    models: models.slice(0, MOST_MODELS),
  };
}

function nothing(message: string, supported: boolean): ModelListOutcome {
  return { ...failure(message), supported, models: [] };
}
