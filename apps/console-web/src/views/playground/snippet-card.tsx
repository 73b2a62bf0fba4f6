import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CodeBlock } from '../../components/code-block.js';
import { useMessages } from '../../messages/use-messages.js';
import { type PlannedCall, type SnippetName, SNIPPETS, writeSnippet } from './write-snippet.js';

/** The call that the form would make, to be taken along into a program. */
export function SnippetCard({ call }: { readonly call: PlannedCall }) {
  const { playground: messages } = useMessages();
  const [chosen, setChosen] = useState<SnippetName>('curl');
  return (
    <Card title={messages.snippets} className="min-w-0 self-start">
      <div className="mb-3 flex gap-1">
        {SNIPPETS.map((name) => (
          <Button
            key={name}
            isSmall
            kind={name === chosen ? 'primary' : 'plain'}
            aria-pressed={name === chosen}
            onClick={() => setChosen(name)}
          >
            {messages.snippetNames[name]}
          </Button>
        ))}
      </div>
      <CodeBlock text={writeSnippet(chosen, call)} label={messages.snippetNames[chosen]} isProgram />
    </Card>
  );
}
