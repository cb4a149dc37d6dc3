// A waiting lobby moves to another config of its project (record 0109). One save moves it, with all of its players and spectators.
// Before that their seats there are claimed, all or none, and its code and key. After it the lobby owes the old Directory the
// removal of its row. Their old seats stay as they are: they lead to the lobby until others claim them, whom nobody refuses,
// because the memberships that they name are over. Back there, the lobby claims them under those memberships again, so that an
// attempt in vain leaves them as they were.

import type { By } from '../../common/happening';
import type { MemberId, PlayerId } from '../../common/ids';
import { ok, refuse } from '../../common/result';
import { unseen, updated } from '../../lobby/change';
import type { Debt } from '../../lobby/command';
import { listening } from '../../lobby/due';
import { inside, isPromised, UNTOLD } from '../../lobby/lobby';
import type { Lobby, Player, Spectator } from '../../lobby/lobby';
import { formerlyIn, isElsewhere, moved, moveIssues, notMoved } from '../../lobby/moving';
import type { Claim } from '../../lobby/moving';
import { refusal, type Refusal, type Reply } from '../../lobby/refusals';
import { configOf, trustedOf } from '../caches/project';
import { banEnds, type Ban } from '../contracts/bans';
import type { LobbyAnswer } from '../contracts/lobby';
import type { LobbyCore } from './core';
import { payLobbyDebt } from './debts';
import { answerOf } from './game';

interface MoveAttempt {
  readonly to: string;
  readonly by: By;
  readonly claims: Map<PlayerId, Claim>;
  /** Names the founding to the new Directory. */
  readonly founder: MemberId;
}

const CHANGED: Refusal = {
  code: 'INVALID_STATE',
  detail: 'The lobby changed while it was about to move',
};

/** A lobby that is there already stays as it is. Refuses LOBBY_NOT_MOVED with every reason, INVALID_STATE, CODES_EXHAUSTED. */
export async function moveTo(
  core: LobbyCore,
  to: string,
  by: By,
  player: PlayerId | null,
): Promise<Reply<LobbyAnswer>> {
  while (core.moving !== null) {
    await core.moving.done;
  }
  let claimed = 0;
  if (core.lobby !== null && core.lobby.config !== to) {
    const attempt: MoveAttempt = {
      to,
      by,
      claims: new Map(),
      founder: core.ports.uuid() as MemberId,
    };
    const trying = carriedOut(core, attempt);
    core.moving = { claims: attempt.claims, done: trying.catch(() => {}) };
    try {
      const refused = await trying;
      claimed = attempt.claims.size;
      if (refused !== null) {
        return refuse({ ...refused, claimed });
      }
    } finally {
      core.moving = null;
    }
  }
  return core.lobby === null
    ? refusal('LOBBY_NOT_FOUND', 'The lobby was deleted')
    : ok({ ...answerOf(core, core.lobby, player), claimed });
}

async function carriedOut(core: LobbyCore, attempt: MoveAttempt): Promise<Refusal | null> {
  let isMoved = false;
  try {
    const refused = await tried(core, attempt);
    isMoved = refused === null;
    return refused;
  } finally {
    if (!isMoved) {
      undo(core, attempt);
    }
  }
}

/** Goes round until everybody who is there has a seat in the new config, and the lobby its code there. */
async function tried(core: LobbyCore, attempt: MoveAttempt): Promise<Refusal | null> {
  const { claims, to: name, founder } = attempt;
  const { ports, home } = core;
  let code: string | null = null;
  for (;;) {
    const to = await destination(core, name);
    const { lobby } = core;
    if (lobby?.status !== 'waiting' || isPromised(lobby)) {
      return CHANGED;
    }
    const issues = moveIssues(lobby, to, core.trusted);
    const unclaimed = inside(lobby).filter(({ id }) => !claims.has(id));
    if (issues.length > 0) {
      return notMoved(issues);
    }
    if (unclaimed.length > 0) {
      const asked = unclaimed.map((who) => claim(core, attempt, who, to.trusted.size > 0));
      // Wait for all, so that none takes effect after this returns.
      await Promise.allSettled(asked);
      const taken = (await Promise.all(asked)).flatMap((id) => id ?? []);
      if (taken.length > 0) {
        return notMoved(isElsewhere(taken, name));
      }
    } else if (code === null) {
      const key = await ports.peers.directory(home.project, home.config).keyOf(core.id);
      const founding = { lobbyId: core.id, by: founder, code: lobby.code, key: key ?? undefined };
      const directory = ports.peers.directory(home.project, name);
      const allocated = await directory.allocate(founding, to.config.inviteCodeConfig);
      if (!allocated.ok) {
        return allocated.refusal;
      }
      code = allocated.value;
    } else {
      save(core, attempt, lobby, { ...to, code });
      return null;
    }
  }
}

async function destination({ ports, home }: LobbyCore, name: string) {
  const document = await ports.document(home.project);
  const asks = document.bans !== undefined;
  const { bans } = asks ? await ports.peers.project(home.project).bans() : { bans: [] };
  const isHeld = (ban: Ban): boolean =>
    (ban.config === null || ban.config === name) && ports.now() < banEnds(ban);
  const banned = new Set(bans.filter(isHeld).map(({ playerId }) => playerId));
  const config = configOf(document, name);
  return { name, config, trusted: trustedOf(document, name), banned, document };
}

/** Whose seat another lobby has, or null. What the backend says of a player is read after the claim, as in a join. */
async function claim(
  { id, ports, home }: LobbyCore,
  { to, claims }: MoveAttempt,
  who: Player | Spectator,
  isTrusting: boolean,
): Promise<PlayerId | null> {
  const { id: player } = who;
  const memberId = formerlyIn(who, to) ?? (ports.uuid() as MemberId);
  claims.set(player, { memberId });
  const { heldBy } = await ports.peers
    .seat(home.project, to, player)
    .claim(id, { player, memberId });
  const isUntold = 'state' in who && (who.given?.revision ?? UNTOLD) === UNTOLD;
  if (heldBy === null && isTrusting && isUntold) {
    const said = await ports.peers.players(home.project, player).read(player);
    claims.set(player, { memberId, said });
  }
  return heldBy === null ? null : player;
}

/** The instant at which the lobby moves, without an await. */
function save(
  core: LobbyCore,
  { claims, by, founder }: MoveAttempt,
  lobby: Lobby,
  to: Awaited<ReturnType<typeof destination>> & { readonly code: string },
): void {
  const { project, config: from, by: founding } = core.home;
  const now = core.ports.now();
  core.rows.moves();
  const behind = new Set([...core.trusted.keys()].filter((key) => !to.trusted.has(key)));
  core.adopt(to.document, to.name);
  const there = moved(lobby, { ...to, claims, behind }, now);
  const next = listening(there, core.watch, now)?.lobby ?? there;
  const left = [...claims].filter(([id]) => inside(lobby).every((each) => each.id !== id));
  const owed = core.life.debts.flatMap((debt): Debt[] =>
    debt.to === 'seat' || debt.to === 'queue' ? [{ config: from, ...debt }] : [],
  );
  const change = updated(next, [
    // What is owed since before is owed there.
    ...owed,
    { to: 'directory', act: 'remove', of: { config: from, by: founding } },
    ...left.map(([player, { memberId }]): Debt => ({ to: 'seat', player, memberId })),
  ]);
  core.apply(change, { by }, { project, config: to.name, by: founder });
  core.news.moved();
}

function undo(core: LobbyCore, { claims, to: config, founder: by }: MoveAttempt): void {
  if (claims.size === 0) {
    return;
  }
  const isLeftTo = ([player, { memberId }]: readonly [PlayerId, Claim]): boolean =>
    inside(core.lobby).some((who) => who.id === player && formerlyIn(who, config) === memberId);
  const debts: readonly Debt[] = [
    ...[...claims]
      .filter((each) => !isLeftTo(each))
      .map(([player, { memberId }]): Debt => ({ to: 'seat', player, memberId, config })),
    { to: 'directory', act: 'remove', of: { config, by } },
  ];
  if (core.lobby === null) {
    debts.forEach((debt) => core.ports.background(payLobbyDebt(core, debt)));
  } else {
    core.apply(unseen(core.lobby, debts));
  }
}
