// The relay between objects that behave badly, as they may around a join or a crash.

import { describe, expect, it } from 'vitest';
import type { LobbyId } from '../../src/common/ids';
import { message, type Message } from '../../src/common/line';
import { refusal } from '../../src/lobby/refusals';
import { line, relayed, Spoken, type Script } from '../support/relayed';
import { Stream } from './stream';

const lobby = (revision: number): Message => message('connected', { revision }, { id: revision });
const NOT_IN = refusal('LOBBY_NOT_FOUND');

async function open(script: Script): Promise<{ stream: Stream; watched: () => number }> {
  const { response, watched } = await relayed(script);
  return { stream: new Stream(response), watched };
}

const L = 'l' as LobbyId;
const silent = (): Spoken => new Spoken();

describe('binding', () => {
  it('finds a lobby the seat was taken for just before the watch began', async () => {
    const { stream, watched } = await open({
      where: [null, L],
      watch: silent,
      lobby: [() => ({ ok: true, value: line(lobby(1)) })],
    });
    expect(await stream.next('connected')).toBeNull();
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(watched()).toBe(1);
    await stream.leave();
  });

  it('waits for a lobby that is still taking the player in', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [
        () => NOT_IN,
        () => NOT_IN,
        () => NOT_IN,
        () => ({ ok: true, value: line(lobby(1)) }),
      ],
    });
    expect(await stream.next('connected')).toBeNull();
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    await stream.leave();
  });

  it('stops asking a seat that points at a lobby which never knew the player', async () => {
    let spoken = false;
    const { stream, watched } = await open({
      where: [L],
      // Only a watch that is kept is read to its event.
      watch: () => {
        spoken = true;
        return line(message('ping', null));
      },
      lobby: [() => NOT_IN],
    });
    expect(await stream.next('connected')).toBeNull();
    await stream.next('ping');
    const kept = watched();
    expect([spoken, kept]).toEqual([true, 9]);
    await stream.leave();
  });

  it('binds anew when an object broke off or could not be asked,', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [
        () => ({ ok: true, value: line(lobby(1), 'break') }),
        () => {
          throw new Error('the object is moving');
        },
        () => ({ ok: true, value: line(lobby(2)) }),
      ],
    });
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(await stream.next('connected')).toEqual({ revision: 2 });
    await stream.leave();
  });

  it('ends the stream of a player who has opened a newer one', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [() => ({ ok: true, value: line(lobby(1), 'replaced') })],
    });
    const received = await stream.ended();
    expect(received.map(({ event }) => event)).toEqual(['connected', 'replaced']);
    expect(stream.raw).not.toContain('bye');
  });

  it('goes from lobby to seat to lobby without a second greeting', async () => {
    const { stream } = await open({
      where: [L, null, null, L],
      watch: () => new Spoken('seated'),
      lobby: [
        () => ({ ok: true, value: line(lobby(1), 'left') }),
        () => ({ ok: true, value: line(lobby(2)) }),
      ],
    });
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(await stream.next('connected')).toEqual({ revision: 2 });
    expect(stream.raw).not.toContain('data: null');
    await stream.leave();
  });
});
