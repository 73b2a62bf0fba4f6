import type { Model } from '../../api/console-api.js';
import type { BodyOf } from '../../api/routes.js';
import { Checkbox, Field, Select, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

/** How calls of a model are routed, as it is written in a form. */
export interface RoutingDraft {
  readonly routing: Model['routing'];
  readonly sticky: boolean;
  readonly hedge: boolean;
  readonly fallback: string;
  readonly fallbackOn: readonly Model['fallback_on'][number][];
  readonly firstToken: string;
}

export function toRoutingDraft(model: Model): RoutingDraft {
  return {
    routing: model.routing,
    sticky: model.sticky,
    hedge: model.hedge,
    fallback: model.fallback.join(', '),
    fallbackOn: model.fallback_on,
    firstToken: model.first_token_timeout ?? '',
  };
}

type RoutingBody = Pick<
  BodyOf<'/api/v1/models/{path}', 'patch'>,
  'routing' | 'sticky' | 'hedge' | 'fallback' | 'fallback_on' | 'first_token_timeout'
>;

export function toRoutingBody(draft: RoutingDraft): RoutingBody {
  const { routing, sticky, hedge, fallbackOn } = draft;
  const firstToken = draft.firstToken.trim();
  return {
    routing,
    sticky,
    hedge,
    fallback: draft.fallback.split(/[\s,]+/).filter((slug) => slug !== ''),
    fallback_on: fallbackOn.length === 0 ? undefined : [...fallbackOn],
    first_token_timeout: firstToken === '' ? null : firstToken,
  };
}

interface RoutingFieldsProps {
  readonly draft: RoutingDraft;
  readonly onChange: (draft: RoutingDraft) => void;
  readonly errorOf: (param: string) => string | undefined;
}

export function RoutingFields({ draft, onChange, errorOf }: RoutingFieldsProps) {
  const { routing: messages } = useMessages();
  const change = (part: Partial<RoutingDraft>) => onChange({ ...draft, ...part });
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{messages.title}</legend>
      <Field label={messages.strategy} error={errorOf('routing')}>
        <Select
          value={draft.routing}
          onChange={(event) => change({ routing: event.target.value as Model['routing'] })}
        >
          {Object.entries(messages.strategies).map(([strategy, name]) => (
            <option key={strategy} value={strategy}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        label={messages.sticky}
        checked={draft.sticky}
        onChange={(event) => change({ sticky: event.target.checked })}
      />
      <Checkbox
        label={messages.hedge}
        checked={draft.hedge}
        onChange={(event) => change({ hedge: event.target.checked })}
      />
      <Field label={messages.fallback} hint={messages.fallbackHint} error={errorOf('fallback')}>
        <TextInput value={draft.fallback} onChange={(event) => change({ fallback: event.target.value })} />
      </Field>
      {draft.fallback.trim() !== '' && <FallbackCauses draft={draft} onChange={change} />}
      <Field
        label={messages.firstToken}
        hint={messages.firstTokenHint}
        error={errorOf('first_token_timeout')}
      >
        <TextInput
          value={draft.firstToken}
          onChange={(event) => change({ firstToken: event.target.value })}
        />
      </Field>
    </fieldset>
  );
}

function FallbackCauses({
  draft,
  onChange,
}: {
  readonly draft: RoutingDraft;
  readonly onChange: (part: Partial<RoutingDraft>) => void;
}) {
  const { routing: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">{messages.fallbackOn}</legend>
      {(['failure', 'context', 'refusal'] as const).map((cause) => (
        <Checkbox
          key={cause}
          label={messages.causes[cause]}
          checked={draft.fallbackOn.includes(cause)}
          onChange={(event) =>
            onChange({
              fallbackOn: event.target.checked
                ? [...draft.fallbackOn, cause]
                : draft.fallbackOn.filter((other) => other !== cause),
            })
          }
        />
      ))}
    </fieldset>
  );
}
