// A Discord Activity: all who open it in the same place are in one lobby, ready up, and play.
import { DiscordSDK } from '@discord/embedded-app-sdk';
import { addressOf, isMusterError, login, MusterPlayer } from '@muster/client';

// What index.html says of your application.
const { clientId, key, config } = document.body.dataset;
// Discord lets an Activity reach nothing but itself. In the developer portal, map /muster to your Muster.
const url = new URL('/.proxy/muster', location.href).href;

const $ = (id) => document.getElementById(id);
const say = (text) => ($('message').textContent = text);
const discord = new DiscordSDK(clientId);

/** Discord's code, exchanged for a player token. `prompt: 'none'`: Discord asks the player once only. */
async function loggedIn() {
  const { code } = await discord.commands.authorize({
    client_id: clientId,
    response_type: 'code',
    scope: ['identify'],
    prompt: 'none',
    state: '',
  });
  return login({ url, key }, 'discord', code);
}

let muster;
let lobby = null;

function draw(next) {
  if (next !== null && next.id === lobby?.id && next.revision < lobby.revision) {
    return; // A newer event has overtaken this answer.
  }
  lobby = next;
  const players = lobby?.players ?? [];
  $('players').replaceChildren(
    ...players.map(({ state, isHost }) =>
      Object.assign(document.createElement('li'), {
        textContent: `${state?.name ?? '…'}${isHost ? ' (host)' : ''}${state?.ready ? ': ready' : ''}`,
      }),
    ),
  );
  const isHost = lobby?.host === muster.player;
  $('play').hidden = !isHost || lobby.status !== 'waiting';
  $('play').disabled = !players.every(({ state }) => state?.ready);
  $('status').textContent = lobby?.status ?? 'no lobby';
  const address = addressOf(lobby);
  $('address').textContent = address === null ? '' : `${address.host}:${address.port}`;
}

async function attempt(action) {
  try {
    say('');
    draw(await action());
  } catch (error) {
    say(isMusterError(error) ? error.detail : String(error));
  }
}

/** The lobby of this instance. A player who was in that of another channel leaves it first. */
async function enter(state) {
  const wanted = {
    key: discord.instanceId,
    name: 'Activity',
    maxPlayers: 8,
    isPrivate: true,
    state,
  };
  try {
    return await muster.createLobby(wanted);
  } catch (error) {
    if (!isMusterError(error, 'ALREADY_IN_LOBBY')) {
      throw error;
    }
    await muster.leave();
    return muster.createLobby(wanted);
  }
}

async function main() {
  await discord.ready();
  let session = await loggedIn();
  const { user } = await discord.commands.authenticate({ access_token: session.accessToken });
  const { player } = session;
  const token = async () => {
    const { token: mine } = session ?? (await loggedIn());
    session = null; // Called again once it is over.
    return mine;
  };
  muster = new MusterPlayer({ url, key, config, player, token });
  draw(await enter({ name: user.global_name ?? user.username, ready: false }));
  $('ready').addEventListener('click', () => {
    const me = lobby.players.find(({ id }) => id === player);
    void attempt(() => muster.updateMyState({ ready: me?.state?.ready !== true }));
  });
  $('play').addEventListener('click', () => void attempt(() => muster.startGame()));
  // A proxy that holds event streams back is common, and a WebSocket gets through Discord's.
  for await (const event of muster.streamEvents({ transport: 'socket' })) {
    if (event.type === 'connected' || event.type === 'lobby_updated') {
      draw(event.lobby);
    } else if (event.type === 'closed') {
      draw(null);
      say(`The lobby is over: ${event.reason}`);
    }
  }
}

main().catch((error) =>
  say(isMusterError(error) ? error.detail : (error?.message ?? String(error))),
);
