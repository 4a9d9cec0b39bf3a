import { hasText, same } from "./fields.js";

// Decide which text a page begins with, and whether there is another one to offer.
//
// server: {version, fields, saved_at, spent}, fields null where nothing is saved. entries: what
// this browser kept ({fields, version, isDirty, sent, evidence, other, at}). page: the form as the
// server sent it. The newest text is shown; where both sides went on from the same version, the other
// one is offered as well, so that neither is lost.
export function reconcile({ server, entries, page }) {
  const kept = entries
    .filter((entry) => hasText(entry.fields))
    .filter((entry) => !server.spent || entry.fields.client_key !== server.spent)
    .sort((one, other) => other.at - one.at);
  const other = kept.map((entry) => entry.other).find((text) => text && hasText(text)) ?? null;
  const served = { fields: server.fields ?? page, version: server.version, isDirty: false, other, evidence: {} };
  if (!server.fields) return kept.length ? withoutServer(kept, server, other) : served;
  const ahead = kept.find((entry) => isAhead(entry, server));
  if (ahead) return { ...asShown(ahead, ahead.version), isDirty: ahead.isDirty, other: other ?? differing(kept, ahead.fields) };
  const unsaved = kept.filter((entry) => entry.isDirty && !same(entry.fields, server.fields));
  if (!unsaved.length) return { ...served, isRestored: hasText(server.fields) };
  return withBoth(unsaved, server, other);
}

// A page that leaves may have saved after the server made the next one.
function isAhead(entry, server) {
  return entry.version > server.version && entry.fields.client_key === server.fields.client_key;
}

function withoutServer([mine, ...rest], server, other) {
  return { ...asShown(mine, server.version), other: other ?? differing(rest, mine.fields) };
}

function withBoth([mine, ...rest], server, other) {
  const isOnTop = mine.version === server.version || (mine.sent ?? []).some((sent) => same(sent, server.fields));
  if (isOnTop) return { ...asShown(mine, server.version), other: other ?? differing(rest, mine.fields) };
  const isMineNewer = mine.at >= Date.parse(server.saved_at);
  const shown = isMineNewer
    ? asShown(mine, server.version)
    : { fields: server.fields, version: server.version, isDirty: false, evidence: {}, isRestored: true };
  return { ...shown, other: isMineNewer ? server.fields : mine.fields, isUndecided: true };
}

function asShown(entry, version) {
  return { fields: entry.fields, version, isDirty: true, evidence: entry.evidence ?? {}, isRestored: true };
}

function differing(entries, fields) {
  return entries.find((entry) => entry.isDirty && !same(entry.fields, fields))?.fields ?? null;
}
