// Turns a chosen set into a proposal: teams, roles, region and version (spec: Rule semantics 7, 9).

import { must } from '../result';
import type { Plan } from './index-plan';
import type { Found } from './index-search';
import type { Store } from './index-store';
import type { Mode } from './mode';
import type { Proposal, ProposedTeam } from './proposal';
import { chooseRegion } from './region-choice';
import { roleTeams } from './role-teams';
import type { RoleBook } from './role-wishes';
import { type Party, splitFull, splitShort } from './teams';

/** Null when no teams are found within the limits of their search: the set stays in the queue. */
export type Propose = (found: Found) => Proposal | null;

export function symmetricProposals(mode: Mode, plan: Plan, store: Store): Propose {
  return (found) => {
    const parties = found.slots.map((slot) => partyOf(slot, plan, store));
    const players = parties.reduce((sum, party) => sum + party.size, 0);
    const full = players === mode.teams * mode.playersPerTeam;
    const split = full
      ? splitFull(parties, mode.teams, mode.playersPerTeam)
      : splitShort(parties, mode.minTeams, {
          teams: mode.teams,
          least: mode.minPlayersPerTeam,
          most: mode.playersPerTeam,
        });
    if (split === null) {
      return null;
    }
    const teams = split.map((indices) => ({
      name: null,
      tickets: indices.map((index) => store.idOf(found.slots[index] ?? found.anchor)),
      roles: null,
    }));
    return proposalOf(found, store, { teams, full });
  };
}

export function roleProposals(book: RoleBook, plan: Plan, store: Store): Propose {
  return (found) => {
    const parties = found.slots.map((slot) => ({
      members: store.membersOf(slot),
      value: partyOf(slot, plan, store).value,
    }));
    const teams = roleTeams(book, parties)?.map(({ name, parties: indices, roles }) => ({
      name,
      tickets: indices.map((index) => store.idOf(found.slots[index] ?? found.anchor)),
      roles,
    }));
    if (teams === undefined) {
      return null;
    }
    return proposalOf(found, store, { teams, full: true });
  };
}

function proposalOf(
  found: Found,
  store: Store,
  rest: { readonly teams: readonly ProposedTeam[]; readonly full: boolean },
): Proposal {
  const wishes = found.slots.map((slot) => store.placeOf(slot));
  return {
    anchor: store.idOf(found.anchor),
    tickets: found.slots.map((slot) => store.idOf(slot)),
    region: must(chooseRegion(store.placeOf(found.anchor), wishes), 'a region accepted by all'),
    version: store.kinds.version(store.partitionOf(found.anchor)),
    ...rest,
  };
}

/** The value is that of the first difference rule: what the teams are balanced by. */
function partyOf(slot: number, plan: Plan, store: Store): Party {
  const size = store.classOf(slot).players;
  const [first] = plan.differences;
  const value = first === undefined ? 0 : store.columns.number(slot, first.column);
  // A set of one needs no pair to pass, so its value may be missing.
  return { size, value: Number.isNaN(value) ? 0 : value };
}
