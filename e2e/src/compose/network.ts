import { randomInt } from 'node:crypto';
import { NameServer, type FindAddresses } from './name-server.js';

const NAME_SERVER_PORT = 5_353;
const TRIES = 20;

/** A network of loopback addresses, one for each container, so that all listen on the ports of the file. */
export interface Network {
  /** Address and port of the server that knows the services' names. */
  readonly nameServer: string;
  /** @param service its place in the file. @param replica counted from one. */
  addressOf(service: number, replica: number): string;
  close(): void;
}

/** Takes 127.x.0.0 for an x that no other stack on this machine has: whoever has it answers names there. */
export async function claimNetwork(find: FindAddresses): Promise<Network> {
  for (let tries = 1; ; tries++) {
    const network = randomInt(64, 255);
    const host = `127.${network}.0.11`;
    try {
      const server = await NameServer.listen(host, NAME_SERVER_PORT, find);
      return {
        nameServer: `${host}:${NAME_SERVER_PORT}`,
        addressOf: (service, replica) => `127.${network}.${service + 1}.${replica}`,
        close: () => server.close(),
      };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
