import type { Conversation, NewResponse } from '@mg/persistence/gateway';

/** Responses as the database keeps them, by wallet. */
export class KeptInMemory {
  readonly rows = new Map<string, NewResponse>();
  failing = false;

  async keep(walletId: string, response: NewResponse): Promise<boolean> {
    if (this.failing) throw new Error('no database');
    this.rows.set(`${walletId} ${response.id}`, response);
    return true;
  }
  async find(walletId: string, id: string) {
    return this.rows.get(`${walletId} ${id}`);
  }
  async findConversation(walletId: string, id: string): Promise<Conversation> {
    const turn = await this.find(walletId, id);
    if (!turn) return 'missing';
    if (turn.previousId === undefined) return [turn];
    const earlier = await this.findConversation(walletId, turn.previousId);
    return typeof earlier === 'string' ? earlier : [...earlier, turn];
  }
  async findByItems(walletId: string, ids: readonly string[]) {
    const own = [...this.rows].filter(([name]) => name.startsWith(`${walletId} `)).map(([, row]) => row);
    return own.filter(({ itemIds }) => itemIds.some((id) => ids.includes(id)));
  }
  async delete(walletId: string, id: string) {
    const row = await this.find(walletId, id);
    this.rows.delete(`${walletId} ${id}`);
    return row && { heldBy: row.heldBy };
  }
}
