import { ask, token } from "./ask.js";

const WAITS = [1, 2, 4, 8, 15].map((seconds) => 1000 * seconds);
export const FINAL = new Set([200, 400, 404, 409, 410]); // the server has looked at the vote
const HOPELESS = new Set([0, 401, 403]); // the others would fare no better now

// Sends what is in the outbox, one after the other, until each is acknowledged or refused for good.
export class Sender {
  constructor(outbox, { onAnswer, onTrouble }) {
    Object.assign(this, { outbox, onAnswer, onTrouble, isBusy: false, failures: 0 });
    addEventListener("online", () => this.send());
  }

  async send() {
    if (this.isBusy) return;
    this.isBusy = true;
    clearTimeout(this.timer);
    try {
      this.rest(await this.round());
    } finally {
      this.isBusy = false;
    }
  }

  // Each vote once, those too that come meanwhile; returns the last trouble, if there was any.
  async round() {
    const tried = new Set();
    const following = () => this.outbox.all().find(({ seat, at }) => !tried.has(`${seat} ${at}`));
    let trouble = null;
    for (let vote = following(); vote; vote = following()) {
      tried.add(`${vote.seat} ${vote.at}`);
      const status = await this.sendOne(vote);
      if (!FINAL.has(status)) trouble = status;
      if (HOPELESS.has(status)) break;
    }
    return trouble;
  }

  async sendOne(vote) {
    const fields = { ...vote.fields, shown: "1", csrfmiddlewaretoken: token() };
    const { status, html, goTo } = await ask(vote.address, fields);
    if (FINAL.has(status)) {
      this.outbox.drop(vote);
      this.goTo = goTo ?? this.goTo;
      if (!goTo) await this.onAnswer(vote, html, status === 200);
    }
    return status;
  }

  rest(trouble) {
    // A crowd session is complete: its code follows, once nothing waits to be sent.
    if (this.goTo && !this.outbox.all().length) {
      location.assign(this.goTo);
      return;
    }
    this.onTrouble(trouble);
    if (trouble === null) {
      this.failures = 0;
      return;
    }
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.send(), wait);
  }
}
