import type { JsonObject } from '@mg/protocols';

/** Models that think or not as they are asked, and know no effort. */
const SWITCHABLE = /GLM-[5-9]|Kimi-K(?:2\.[5-9]|[3-9])|DeepSeek-V(?:3\.1|[4-9])|Qwen3\.[5-9]|cogito/;

export function isSwitchable(model: string): boolean {
  return SWITCHABLE.test(model);
}

/** Writes a `reasoning_effort` as a switch for models that know no more. What the caller set there stays. */
export function switchReasoning(body: JsonObject): JsonObject {
  const { reasoning_effort: effort, ...rest } = body;
  if (typeof effort !== 'string' || typeof body.model !== 'string' || !isSwitchable(body.model)) return body;
  return { reasoning: { enabled: effort !== 'none' }, ...rest };
}
