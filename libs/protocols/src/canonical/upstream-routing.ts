import { isObject, type JsonObject } from '../json.js';
import { refuseField } from './refuse.js';

/**
 * Fields by which servers between us and a model let the caller choose another model, provider, address or key, or change
 * the request further: the call would then not be what it is billed as.
 *
 * @see https://openrouter.ai/docs/features/model-routing
 * @see https://openrouter.ai/docs/features/provider-routing
 * @see https://docs.litellm.ai/docs/proxy/clientside_auth
 * @see https://docs.litellm.ai/docs/routing
 */
export const UPSTREAM_ROUTING_FIELDS = [
  'models',
  'route',
  'provider',
  'plugins',
  'transforms',
  'preset',
  'fallbacks',
  'fallback_models',
  'model_fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'default_fallbacks',
  'model_list',
  'model_group',
  'model_info',
  'target_model',
  'deployment_id',
  'guardrails',
  'extra_body',
  'extra_headers',
  'extra_query',
  'provider_options',
  'providerOptions',
  'litellm_params',
  'litellm_metadata',
  'litellm_credential_name',
  'custom_llm_provider',
  'api_base',
  'api_key',
  'api_type',
  'base_url',
  'organization',
  'azure_ad_token',
  'vertex_project',
  'vertex_location',
  'vertex_credentials',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_region_name',
  'mock_response',
] as const;

/** Members of Vertex AI's `generationConfig` that let it choose another model. */
const GEMINI_ROUTING_FIELDS = [
  'routingConfig',
  'routing_config',
  'modelConfig',
  'model_config',
  'modelSelectionConfig',
  'model_selection_config',
];

/**
 * Refuses a request that chooses another model or provider behind the channel.
 *
 * @param fields the members of the request as its upstream gets them.
 * @throws GatewayError `invalid_request` naming the field.
 */
export function refuseUpstreamRouting(fields: JsonObject): void {
  for (const field of UPSTREAM_ROUTING_FIELDS) {
    if (isSet(fields[field])) refuse(field);
  }
  for (const name of ['generationConfig', 'generation_config']) {
    const config = fields[name];
    if (!isObject(config)) continue;
    for (const field of GEMINI_ROUTING_FIELDS) if (isSet(config[field])) refuse(`${name}.${field}`);
  }
}

function refuse(field: string): never {
  return refuseField(field, 'may choose another model or provider: the channel does not allow that');
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
