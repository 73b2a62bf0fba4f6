import { omitUndefined } from '@mg/contract';
import type { JsonObject } from '@mg/protocols';

/** How a provider is asked to think or not. */
export interface ThinkingSwitch {
  /** `thinking` takes `{type: "enabled" | "disabled"}`, `enable_thinking` a boolean. */
  readonly field: 'thinking' | 'enable_thinking';
  /** Whether `reasoning_effort` may go along to say how long. */
  readonly keepsEffort: boolean;
}

/** Writes a `reasoning_effort` in the provider's own fields. What the caller set there already stays. */
export function switchThinking(body: JsonObject, { field, keepsEffort }: ThinkingSwitch): JsonObject {
  const { reasoning_effort: effort, ...rest } = body;
  if (effort === undefined || effort === null) return body;
  const on = effort !== 'none';
  const value = field === 'thinking' ? { type: on ? 'enabled' : 'disabled' } : on;
  return {
    ...rest,
    ...omitUndefined({
      [field]: rest[field] === undefined ? value : undefined,
      reasoning_effort: on && keepsEffort ? effort : undefined,
    }),
  };
}
