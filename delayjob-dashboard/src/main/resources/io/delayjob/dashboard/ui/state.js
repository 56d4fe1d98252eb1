/* Everything that the page knows, in one place. Views are functions of it; code that changes it calls changed(). */

export const state = {
    /** The answer of ui/session. */
    session: null,
    /** The newest answer of pulse, and the time of its arrival by this machine's clock. */
    pulse: null,
    pulseAt: 0,
    /** Store's clock minus this machine's, in ms. */
    skew: 0,
    /** Starts of the last minute, and events, oldest first. */
    starts: [],
    events: [],
    /** Null while the server answers, otherwise { kind, since, reason }. */
    trouble: null,
    /** False while the user has stopped the updates. */
    live: true,
    /** The query string, as URLSearchParams. */
    query: new URLSearchParams(location.search),
    /** The function that draws the open dialog. */
    dialog: null,
    /** The last result of a change: { level, text }. */
    notice: null,
    /** A change of many jobs under way. */
    bulk: null,
    /** The chosen store, in an application with several; null is the default store. */
    store: null,
};

let draw = () => {},
    asked = false;

export function changed() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
        asked = false;
        draw();
    });
}

export const onChange = f => {
    draw = f;
};

/** The store's time, as far as this machine knows it. */
export const now = () => Date.now() + state.skew;

/** A value kept in this browser, if the browser allows it. */
export const kept = {
    get(name) {
        try {
            return localStorage.getItem('delayjob.' + name);
        } catch {
            return null;
        }
    },
    set(name, value) {
        try {
            localStorage.setItem('delayjob.' + name, value);
        } catch {
            /* a private window keeps nothing */
        }
    },
};

export function go(search, replace) {
    history[replace ? 'replaceState' : 'pushState'](null, '', search || '?');
    arrived();
    if (!replace) scrollTo(0, 0);
}

export function arrived() {
    state.query = new URLSearchParams(location.search);
    state.dialog = null;
    changed();
}

/** Returns a query string with some values of the present one replaced; null removes a value. */
export function search(page, values) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values || {}))
        if (value !== null && value !== undefined && value !== '') query.set(name, value);
    return '?' + [page, query.toString()].filter(Boolean).join('&');
}
