import type { LoggedCall } from '../../api/console-api.js';
import { Money } from '../../components/money.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';

/** A call's bill: each line with its quantity and price, summing to what was charged. */
export function CostExplanation({ call }: { readonly call: LoggedCall }) {
  const { logs: messages, models } = useMessages();
  const count = useCount();
  if (call.lines.length === 0) return <p className="text-muted">{messages.costNone}</p>;
  return (
    <>
      <div className="border-line overflow-x-auto rounded-lg border">
        <table className="w-full text-left max-sm:text-xs">
          <thead className="bg-raised text-muted text-xs break-keep">
            <tr>
              <th className="px-2 py-2 sm:px-3 font-medium">{messages.meter}</th>
              <th className="px-2 py-2 sm:px-3 text-right font-medium">{messages.quantity}</th>
              <th className="px-2 py-2 sm:px-3 text-right font-medium">{messages.unitPrice}</th>
              <th className="px-2 py-2 sm:px-3 text-right font-medium">{messages.amount}</th>
            </tr>
          </thead>
          <tbody>
            {call.lines.map((line) => {
              const rate = models.rates[line.meter] ?? messages.otherMeters[line.meter] ?? line.meter;
              // A rate is named by what it is for, and how much of it the price is of.
              const [meter, ofWhat] = rate.split(/[,，]\s*/);
              return (
                <tr key={`${line.meter} ${line.unit_price}`} className="border-line border-t">
                  <td className="px-2 py-2 sm:px-3">{meter}</td>
                  <td className="px-2 py-2 sm:px-3 text-right tabular-nums">{count(line.quantity)}</td>
                  <td className="px-2 py-2 sm:px-3 text-right">
                    <Money usd={line.unit_price} />
                    {ofWhat !== undefined && <span className="text-muted block text-xs">{ofWhat}</span>}
                  </td>
                  <td className="px-2 py-2 sm:px-3 text-right">
                    <Money usd={line.amount} />
                  </td>
                </tr>
              );
            })}
            <tr className="border-line border-t font-semibold">
              <td className="px-2 py-2 sm:px-3" colSpan={3}>
                {messages.total}
              </td>
              <td className="px-2 py-2 sm:px-3 text-right" data-testid="call-cost">
                <Money usd={call.cost} />
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      {call.estimated && <p className="text-warn mt-2 text-xs">{messages.costEstimated}</p>}
    </>
  );
}
