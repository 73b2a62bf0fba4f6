import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.js';
import type { ChannelTest } from '../../../api/console-api.js';

/** What came of trying a model: the answer, why there was none, or that it is under way. */
export type TestState =
  | { readonly state: 'running' }
  | { readonly state: 'answered'; readonly answer: ChannelTest }
  | { readonly state: 'refused'; readonly error: Error };

/** Tries models of a channel one after the other, by the provider's names of them. */
export function useModelTests(channelId: string) {
  const [tests, setTests] = useState<Readonly<Record<string, TestState>>>({});
  const [isRunning, setRunning] = useState(false);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const note = (name: string, test: TestState) => setTests((before) => ({ ...before, [name]: test }));
  const run = async (names: readonly string[]) => {
    setRunning(true);
    for (const name of names) {
      if (!isShown.current) return;
      note(name, { state: 'running' });
      try {
        const answer = await api.post('/api/v1/channels/{id}/test', {
          path: { id: channelId },
          body: { name },
        });
        note(name, { state: 'answered', answer });
      } catch (error) {
        note(name, { state: 'refused', error: error instanceof Error ? error : new Error(String(error)) });
      }
    }
    setRunning(false);
  };
  return { tests, isRunning, run };
}
