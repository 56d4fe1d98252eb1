/* All HTTP requests of the page. All paths are relative to ui/, so any prefix before it works. */
import { changed, kept, now, state } from './state.js';
import { MINUTE, SECOND, instant } from './text.js';

const MAX_AT_ONCE = 2,
    PULSE_EVERY = SECOND,
    AFTER_TROUBLE = 5 * SECOND,
    KEPT_STARTS = 4000,
    KEPT_EVENTS = 200;

/** A request that the server refused; status 0 means that it did not answer. */
class Refused extends Error {
    constructor(status, body = {}, retryAfter = 0) {
        super(body.reason || (status ? `The server answered ${status}.` : 'The server does not answer.'));
        this.status = status;
        this.result = body.result;
        this.retryAfter = retryAfter;
    }
}

async function request(method, path, body) {
    const headers = { Accept: 'application/json' },
        csrf = state.session?.csrf;
    if (body) headers['Content-Type'] = 'application/json';
    if (method !== 'GET' && csrf) headers[csrf.header] = csrf.token;
    let answer;
    try {
        answer = await fetch(path, {
            method,
            headers,
            body: body && JSON.stringify(body),
            redirect: 'manual',
            cache: 'no-store',
        });
    } catch {
        throw new Refused(0);
    }
    // The server sent a login page instead of an answer.
    if (answer.type === 'opaqueredirect') throw new Refused(401);
    const isJson = /json/.test(answer.headers.get('Content-Type') || '');
    if (answer.ok && isJson) return answer.json();
    const explained = isJson ? await answer.json().catch(() => undefined) : undefined;
    throw new Refused(
        answer.ok ? 401 : answer.status,
        explained,
        Number(answer.headers.get('Retry-After')) * SECOND || 0,
    );
}

/** Adds a store to a path, in an application with several stores. The default is the chosen store. */
const ofStore = (path, store = state.store) =>
    store ? path + (path.includes('?') ? '&' : '?') + 'store=' + encodeURIComponent(store) : path;

/** Shows another store, live, and forgets what is known of the present one; null is the default store. */
export function chooseStore(name) {
    reads.clear();
    after = '';
    Object.assign(state, { store: name, live: true, pulse: null, starts: [], events: [], trouble: null, dialog: null });
    kept.set('store', name || '');
    beat();
    changed();
}

export async function openSession() {
    state.session = await request('GET', 'session');
    changed();
}

/** Changes something. After a 403 the token is fetched again, once, because it may belong to an earlier session. */
export async function change(method, path, body, store = state.store) {
    try {
        return await request(method, '../' + ofStore(path, store), body);
    } catch (refused) {
        if (refused.status !== 403 || !state.session?.csrf) throw refused;
        await openSession();
        return request(method, '../' + ofStore(path, store), body);
    }
}

/* ---- reads that views request while they are drawn */
const reads = new Map();
let drawing = 0,
    busy = 0;

/**
 * The answer of a path: { value, error, at }. It is requested again after `every` ms, or when the path changes. Until
 * then, and after a failure, the former value stays. A null path requests nothing.
 */
export function read(key, path, every) {
    let entry = reads.get(key);
    if (!entry) reads.set(key, (entry = { key, value: undefined, error: null, at: 0, asked: 0, busy: false }));
    Object.assign(entry, { path, every, drawn: drawing });
    return entry;
}

export const peek = key => reads.get(key)?.value;

/** Reads everything on the page again, after a change. */
export function reread() {
    for (const entry of reads.values()) entry.asked = 0;
    changed();
}

export function beginDrawing() {
    drawing++;
}

export function endDrawing() {
    for (const entry of [...reads.values()]) {
        if (entry.drawn < drawing - 600) reads.delete(entry.key);
        if (busy < MAX_AT_ONCE && isWanted(entry)) load(entry);
    }
}

function isWanted(entry) {
    // Only the first pulse tells the store's time, which is part of most paths.
    if (!state.pulse || entry.drawn !== drawing || entry.busy || !entry.path) return false;
    const age = Date.now() - entry.asked;
    if (entry.error) return age > (entry.error.retryAfter || AFTER_TROUBLE);
    return (
        !entry.asked ||
        entry.path !== entry.askedPath ||
        (state.live && !document.hidden && entry.every && age >= entry.every)
    );
}

async function load(entry) {
    Object.assign(entry, { busy: true, asked: Date.now(), askedPath: entry.path });
    busy++;
    try {
        const value = await request('GET', '../' + ofStore(entry.path));
        Object.assign(entry, { value, error: null, at: now() });
    } catch (refused) {
        entry.error = refused;
    }
    entry.busy = false;
    busy--;
    changed();
}

export const ask = (path, store = state.store) => request('GET', '../' + ofStore(path, store));

/* ---- the pulse: once a second while the page is visible */
let timer = 0,
    after = '';

export async function beat() {
    clearTimeout(timer);
    if (document.hidden || !state.live) return;
    const wheel = state.query.has('wheel'),
        sent = Date.now(),
        store = state.store;
    try {
        const path = `../pulse?wheel=${wheel}` + (after && '&after=' + encodeURIComponent(after));
        const answer = await request('GET', ofStore(path));
        if (store !== state.store) return;
        took(answer, sent);
        if (state.trouble) reread();
        state.trouble = null;
        if (!state.session) await openSession();
    } catch (refused) {
        // This browser remembers a store that the application does not have.
        if (refused.status === 400 && store && store === state.store) return chooseStore(null);
        troubled(refused);
    }
    changed();
    clearTimeout(timer);
    timer = setTimeout(
        beat,
        state.trouble
            ? Math.max(AFTER_TROUBLE, state.trouble.retryAfter)
            : Math.max(100, PULSE_EVERY - (Date.now() - sent)),
    );
}

function troubled(refused) {
    const kind =
        { 0: 'gone', 401: 'session', 403: 'forbidden', 404: 'missing', 503: 'store' }[refused.status] ?? 'failed';
    if (state.trouble?.kind !== kind) state.trouble = { kind, since: state.pulse ? instant(state.pulse.time) : now() };
    state.trouble.reason = refused.message;
    state.trouble.retryAfter = refused.retryAfter;
}

function took(pulse, sent) {
    const received = Date.now(),
        skew = instant(pulse.time) - (sent + received) / 2;
    // Small differences come from the network, and a clock that jumps would shake the wheel.
    state.skew = !state.pulse || Math.abs(skew - state.skew) > 500 ? skew : state.skew + (skew - state.skew) / 8;
    after = pulse.next;
    const known = new Set(state.starts.slice(-400).map(start => start.id + start.at)),
        since = instant(pulse.time) - MINUTE;
    const fresh = pulse.starts
        .filter(start => !known.has(start.id + start.at))
        .map(start => ({ ...start, t: instant(start.at) }));
    state.starts = state.starts
        .concat(fresh)
        .filter(start => start.t > since)
        .slice(-KEPT_STARTS);
    const told = new Set(state.events.map(event => event.at + event.says));
    state.events = state.events
        .concat(pulse.events.filter(event => !told.has(event.at + event.says)))
        .sort((a, b) => instant(a.at) - instant(b.at))
        .slice(-KEPT_EVENTS);
    // A wheel without its slots cannot be drawn.
    state.pulse = pulse.wheel?.levels.every(level => level.slots) ? pulse : { ...pulse, wheel: undefined };
    state.pulseAt = received;
}
