import { useEffect, useRef } from 'react';

interface PromptForm {
  readonly read: (name: 'prompt') => string;
  readonly write: (name: 'prompt', text: string) => void;
}

/** Has the text that a prompt begins with follow the language, until somebody writes in it. */
export function useStarter(form: PromptForm, starter: string): void {
  const before = useRef(starter);
  useEffect(() => {
    if (before.current !== starter && form.read('prompt') === before.current) form.write('prompt', starter);
    before.current = starter;
  }, [form, starter]);
}
