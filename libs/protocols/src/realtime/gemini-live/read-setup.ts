import { refuseField } from '../../canonical/refuse.js';
import { refuseUpstreamRouting } from '../../canonical/upstream-routing.js';
import { isObject, type JsonObject } from '../../json.js';
import { LIVE_NAMES } from '../../strict-json/known-names.js';
import { editNested } from '../edit-nested.js';
import { findImage, listOf, parseLiveMessage, refuseFiles, refuseUnknown } from './read-message.js';

/** What a client wants of a session, as its first message says it. */
export interface LiveSetup {
  /** As the client names it, without `models/`. */
  readonly model: string;
  /** Field that lets the model search the web, where there is one. */
  readonly search: string | undefined;
  /** Field that brings an image, where there is one. */
  readonly image: string | undefined;
  /** The message with the upstream's own name of the model. */
  render(upstreamModel: string): Buffer;
}

/** Settings that cost nothing but through the turns that they lead to. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model',
  'generationConfig',
  'systemInstruction',
  'tools',
  'realtimeInputConfig',
  'contextWindowCompression',
  'inputAudioTranscription',
  'outputAudioTranscription',
  'proactivity',
  'historyConfig',
  'explicitVadSignal',
  'safetySettings',
  'labels',
]);
const WHY_NOT: Readonly<Record<string, string>> = {
  sessionResumption: 'is not served: a session is kept in an account of the provider, beyond this connection',
  avatarConfig: 'is not served: video of the model has no price',
  cachedContent: 'is kept in an account of the provider: send its content instead',
};
const MODALITIES: ReadonlySet<unknown> = new Set(['TEXT', 'AUDIO']);
const PREFIX = 'models/';

/**
 * Reads the first message of a session of the Live API.
 *
 * @throws GatewayError `invalid_request` with the name of the member.
 * @see https://ai.google.dev/api/live#bidigeneratecontentsetup
 */
export function readLiveSetup(message: Buffer): LiveSetup {
  const parsed = parseLiveMessage(message);
  refuseUnknown('', parsed, new Set(['setup']), 'is not known: a session begins with its setup');
  const { setup } = parsed;
  if (!isObject(setup)) refuseField('setup', 'must be an object');
  for (const name of Object.keys(setup)) {
    if (!SETTINGS.has(name)) refuseField(`setup.${name}`, WHY_NOT[name] ?? 'is not served');
  }
  const { model, systemInstruction } = setup;
  if (typeof model !== 'string' || model === '' || model === PREFIX) {
    refuseField('setup.model', 'must name a model');
  }
  checkGeneration(setup.generationConfig);
  refuseFiles('setup.systemInstruction', systemInstruction);
  return {
    model: model.startsWith(PREFIX) ? model.slice(PREFIX.length) : model,
    search: checkTools('setup.tools', setup.tools, true),
    image: findImage('setup.systemInstruction', systemInstruction),
    render: (upstreamModel) => {
      const value = upstreamModel.includes('/') ? upstreamModel : PREFIX + upstreamModel;
      return editNested(message, { path: ['setup', 'model'], value }, LIVE_NAMES);
    },
  };
}

function checkGeneration(config: unknown): void {
  if (config === undefined || config === null) return;
  if (!isObject(config)) refuseField('setup.generationConfig', 'must be an object');
  refuseUpstreamRouting({ generationConfig: config });
  const { candidateCount, responseModalities } = config;
  if (candidateCount !== undefined && candidateCount !== null && candidateCount !== 1) {
    refuseField('setup.generationConfig.candidateCount', 'must be 1');
  }
  if (responseModalities !== undefined && responseModalities !== null && !Array.isArray(responseModalities)) {
    refuseField('setup.generationConfig.responseModalities', 'must be a list');
  }
  for (const [index, modality] of listOf(responseModalities).entries()) {
    if (MODALITIES.has(modality)) continue;
    refuseField(`setup.generationConfig.responseModalities[${index}]`, 'must be "TEXT" or "AUDIO"');
  }
}

/**
 * Tools that have a price: functions of the client's own, and searches of the web where the caller of this finds one.
 *
 * @returns field of the search, where there is one.
 */
export function checkTools(place: string, tools: unknown, maySearch: boolean): string | undefined {
  if (tools === undefined || tools === null) return undefined;
  if (!Array.isArray(tools)) refuseField(place, 'must be a list');
  let search: string | undefined;
  for (const [index, tool] of (tools as unknown[]).entries()) {
    if (!isObject(tool)) refuseField(`${place}[${index}]`, 'must be an object');
    for (const name of Object.keys(tool as JsonObject)) {
      const field = `${place}[${index}].${name}`;
      if (name === 'googleSearch' && maySearch) search ??= field;
      else if (name !== 'functionDeclarations') refuseField(field, 'is not served: it has no price');
    }
  }
  return search;
}
