const KEPT = 7 * 24 * 60 * 60 * 1000; // milliseconds

// Votes that the server has not acknowledged: one entry for each seat, kept by the browser over a
// closed tab and a dead server, and of use as long as the seat is still the validator's. Who validates is
// part of the key: another person at this browser does not send them.
export class Outbox {
  constructor(validator) {
    this.prefix = `wino:vote:${validator}:`;
    this.held = new Map(); // where the browser refuses storage, this page still keeps them
  }

  put(vote) {
    this.held.set(vote.seat, vote);
    try {
      localStorage.setItem(this.prefix + vote.seat, JSON.stringify(vote));
    } catch { /* kept above */ }
  }

  // That vote, and not what another tab may have put in its place.
  drop({ seat, at }) {
    if (this.held.get(seat)?.at === at) this.held.delete(seat);
    try {
      if (parsed(this.prefix + seat)?.at === at) localStorage.removeItem(this.prefix + seat);
    } catch { /* nothing is in it */ }
  }

  has(seat) {
    return this.all().some((vote) => vote.seat === seat);
  }

  // The oldest first, also those of other tabs: sending one twice stores it once.
  all() {
    const votes = new Map([...this.stored(), ...this.held]);
    return [...votes.values()].sort((a, b) => a.at - b.at);
  }

  stored() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix));
      return keys.map((key) => [key.slice(this.prefix.length), parsed(key)]).filter(([, vote]) => vote);
    } catch {
      return [];
    }
  }
}

function parsed(key) {
  try {
    const vote = JSON.parse(localStorage.getItem(key));
    if (vote?.address && vote.fields && Date.now() - vote.at < KEPT) return vote;
  } catch { /* not ours */ }
  localStorage.removeItem(key);
  return null;
}
