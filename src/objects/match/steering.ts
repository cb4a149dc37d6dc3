// The game's calls for its places and its roster (places.ts), and those who wait for the roster to change. A wait is not
// saved: whoever lost it asks again.

import type { GameRoster, PlacesOrder } from '../../../packages/js/src/journal-types';
import { pause } from '../../common/later';
import { must, ok } from '../../common/result';
import type { MatchId, PlayerId } from '../../common/ids';
import { refusal, type Reply } from '../../lobby/refusals';
import { configOf } from '../caches/project';
import type { ActorPorts } from '../contracts/actor-ports';
import type { MatchRpc } from '../contracts/match';
import { followed, gameRoster, isPlaying, steer } from './places';
import type { MatchStore } from './store';
import { openPlaces } from './room';
import { rulesNow, type Match } from './state';
import { resigned } from './voters';

type Remembered = Pick<MatchStore, 'match'>;

export class Steering {
  readonly #ports: ActorPorts;
  readonly #id: MatchId;
  readonly #memory: Remembered;
  readonly #goOn: (next: Match) => void;
  /** For all who wait. */
  #news = Promise.withResolvers<void>();

  constructor(ports: ActorPorts, id: MatchId, memory: Remembered, goOn: (next: Match) => void) {
    this.#ports = ports;
    this.#id = id;
    this.#memory = memory;
    this.#goOn = goOn;
  }

  #playing(project: string): Reply<Match> {
    const match = this.#memory.match;
    if (match !== null && match.roster.project !== project) {
      return refusal('NOT_FOUND', 'No match has this id');
    }
    return match !== null && isPlaying(match)
      ? ok(match)
      : refusal('INVALID_STATE', 'Only a running match has places, and this one is not running');
  }

  /** `by`: the server key, or the token of the game server or of the player who hosts. */
  async steer(project: string, said: PlacesOrder, by = 'token'): Promise<Reply<GameRoster>> {
    if (by === 'token' && !(await this.#mayHost(project))) {
      const why = 'A player who hosts steers no places, unless serverSettings.hostSteers is true';
      return refusal('FORBIDDEN', why);
    }
    const playing = this.#playing(project);
    const steered = playing.ok ? steer(playing.value, said, this.#ports.now()) : playing;
    if (!steered.ok) {
      return steered;
    }
    const { kick } = said;
    const out =
      kick === undefined || by === 'token' ? [] : [{ id: kick as PlayerId, by: 'key' as const }];
    this.#goOn(resigned(steered.value, out));
    return ok(this.roster());
  }

  async #mayHost(project: string): Promise<boolean> {
    const { match } = this.#memory;
    if (match?.roster.project !== project || match.server?.block.term === undefined) {
      return true;
    }
    const document = await this.#ports.document(project);
    return configOf(document, match.roster.config).serverSettings.hostSteers === true;
  }

  async follow(...asked: Parameters<MatchRpc['follow']>): Promise<Reply<GameRoster>> {
    const [project, after, waitMs, only] = asked;
    const playing = this.#playing(project);
    if (!playing.ok) {
      return playing;
    }
    if (only === undefined) {
      this.#goOn(followed(playing.value));
    }
    if (waitMs > 0 && this.roster().revision === after) {
      await Promise.race([this.#news.promise, pause(waitMs, this.#ports)]);
    }
    const now = this.#playing(project);
    return now.ok ? ok(this.roster(after)) : now;
  }

  holds(player: PlayerId): boolean {
    const { participants = [] } = this.#memory.match ?? {};
    return participants.some(({ left, members, away = [] }) => {
      return !left && members.includes(player) && !away.some(({ id }) => id === player);
    });
  }

  roster(after = 0): GameRoster {
    const match = followed(must(this.#memory.match, 'a match that its game steers'));
    const open = rulesNow(match).allowBackfill ? openPlaces(match) : [];
    return gameRoster(match, this.#id, { open, after });
  }

  /** Call after each save. Whether the game has news, or none will come. */
  saved(before: Match | null, next: Match): boolean {
    const isNews = before?.steered?.revision !== next.steered?.revision;
    if (isNews || !isPlaying(next)) {
      this.#news.resolve();
      this.#news = Promise.withResolvers();
    }
    return isNews && isPlaying(next);
  }
}
