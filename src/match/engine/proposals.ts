// Turns a chosen set into a proposal: teams, roles, region and version (spec: Rule semantics 7, 9).

import { must } from '../../result';
import type { Plan } from '../index/plan';
import type { Found } from '../index/search';
import type { TicketStore } from '../index/store';
import type { Mode } from '../rules/mode';
import type { Proposal, ProposedTeam } from './proposal';
import { chooseRegion } from '../ticket/region-choice';
import { RoleTeams } from '../roles/teams';
import type { RoleBook } from '../roles/wishes';
import { type Party, TeamSplits } from '../sets/teams';

/** Null when no teams are found; `open` when the steps did not reach to find them. */
export type Propose = (found: Found) => Proposal | null | 'open';

export function symmetricProposals(mode: Mode, plan: Plan, store: TicketStore): Propose {
  const splits = new TeamSplits(mode);
  return (found) => {
    const parties = found.slots.map((slot) => partyOf(slot, plan, store));
    const full =
      parties.reduce((sum, party) => sum + party.size, 0) === mode.teams * mode.playersPerTeam;
    const split = splits.split(parties, store.steps);
    if (split === null || split === 'open') {
      return split;
    }
    const teams = split.map((indices) => ({
      name: null,
      tickets: indices.map((index) => store.idOf(found.slots[index] ?? found.anchor)),
      roles: null,
    }));
    return proposalOf(found, store, { teams, full });
  };
}

export function roleProposals(book: RoleBook, plan: Plan, store: TicketStore): Propose {
  const roleTeams = new RoleTeams(book);
  return (found) => {
    const parties = found.slots.map((slot) => ({
      members: store.membersOf(slot),
      value: partyOf(slot, plan, store).value,
    }));
    const assigned = roleTeams.assign(parties, store.steps);
    if (assigned === null || assigned === 'open') {
      return assigned;
    }
    const teams = assigned.map(({ name, parties: indices, roles }) => ({
      name,
      tickets: indices.map((index) => store.idOf(found.slots[index] ?? found.anchor)),
      roles,
    }));
    return proposalOf(found, store, { teams, full: true });
  };
}

function proposalOf(
  found: Found,
  store: TicketStore,
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
function partyOf(slot: number, plan: Plan, store: TicketStore): Party {
  const size = store.classOf(slot).players;
  const [first] = plan.differences;
  const value = first === undefined ? 0 : store.columns.number(slot, first.column);
  // A set of one needs no pair to pass, so its value may be missing.
  return { size, value: Number.isNaN(value) ? 0 : value };
}
