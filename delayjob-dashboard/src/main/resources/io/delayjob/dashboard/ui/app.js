/* The frame around every page: navigation, search, keys, theme, time zone, and trouble with the connection. */
import { Component, h, render } from './preact.module.js';
import { beat, beginDrawing, chooseStore, endDrawing, openSession, peek } from './api.js';
import { instances, countOf, readFailures, readHandlers, readMinutes, self } from './derive.js';
import { Dialog, button, giveColours, icon, iconButton, instanceName, link, note } from './parts.js';
import { arrived, changed, go, kept, now, onChange, search, state } from './state.js';
import {
    BLANK,
    BROWSER_ZONE,
    STATES,
    STATE_NAMES,
    clock,
    cut,
    dur,
    instant,
    millis,
    n0,
    total,
    useZone,
    zoneName,
} from './text.js';
import { progress } from './bulk.js';
import * as overview from './overview.js';
import * as wheel from './wheel.js';
import * as timetable from './timetable.js';
import * as jobs from './jobs.js';
import * as job from './job.js';
import * as groups from './groups.js';
import * as failures from './failures.js';
import * as handlers from './handlers.js';
import * as cluster from './cluster.js';

const PAGES = { overview, wheel, timetable, jobs, job, groups, failures, handlers, cluster };
const KEYS = { o: '', w: 'wheel', t: 'timetable', j: 'jobs', g: 'groups', f: 'failures', h: 'handlers', c: 'cluster' };

/** Tells whether everybody who reaches the page may change jobs. */
const isOpen = () => state.session && !state.session.user && state.session.mayChange;

const pageName = () => Object.keys(PAGES).find(name => state.query.has(name)) || 'overview';

/* ---- theme: the system's until the user chooses another */
const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches);
function useTheme(theme) {
    if (theme) root.dataset.theme = theme;
}
function toggleTheme() {
    useTheme(isDark() ? 'light' : 'dark');
    kept.set('theme', root.dataset.theme);
    changed();
}
systemDark.addEventListener('change', changed);

function toggleZone() {
    useZone(zoneName() === 'UTC' ? BROWSER_ZONE : 'UTC');
    kept.set('zone', zoneName() === 'UTC' ? 'UTC' : 'browser');
    changed();
}

function toggleLive() {
    state.live = !state.live;
    if (state.live) beat();
    changed();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
function find(text) {
    const wanted = text.trim();
    if (!wanted) return;
    const known = peek('handlers'),
        names = known ? [...known.handlers.map(handler => handler.name), ...known.elsewhere] : [];
    go(
        UUID.test(wanted)
            ? search('job', { id: wanted.toLowerCase() })
            : names.includes(wanted)
              ? search('jobs', { name: wanted })
              : search('jobs', { key: wanted }),
    );
}

function logo() {
    const arc = (r, a, b) => {
        const p = t => `${(16 + r * Math.sin(t)).toFixed(2)} ${(16 - r * Math.cos(t)).toFixed(2)}`;
        return `M${p(a)}A${r} ${r} 0 ${b - a > Math.PI ? 1 : 0} 1 ${p(b)}`;
    };
    return h(
        'svg',
        {
            width: 26,
            height: 26,
            viewBox: '0 0 32 32',
            fill: 'none',
            stroke: 'currentColor',
            'stroke-linecap': 'round',
            'stroke-width': 3,
            'aria-hidden': 'true',
        },
        h('path', { d: arc(13, 0.5, 5.1) }),
        h('path', { d: arc(7.5, 1, 4), opacity: 0.55 }),
        h('path', { d: 'M16 2.5v8', stroke: 'var(--now)' }),
        h('circle', { cx: 16, cy: 16, r: 2.2, fill: 'currentColor', stroke: 'none' }),
    );
}

function storeChoice() {
    const stores = state.pulse?.stores;
    return (
        stores &&
        h(
            'div',
            null,
            h('label', { class: 'vh', for: 'store' }, 'Store'),
            h(
                'select',
                {
                    id: 'store',
                    class: 'btn',
                    value: state.store || stores[0],
                    onChange: e => chooseStore(e.target.value === stores[0] ? null : e.target.value),
                },
                stores.map(name => h('option', { key: name, value: name }, name)),
            ),
        )
    );
}

function sidebar(page) {
    const { session } = state,
        chosen = state.query.get('state'),
        place = [session?.application, session?.environment].filter(Boolean).join(' · ');
    const item = (name, label, ...more) =>
        link(
            name === 'overview' ? '?' : '?' + name,
            { 'aria-current': page === name && !chosen ? 'page' : page === 'job' && name === 'jobs' ? 'true' : null },
            icon(name),
            label,
            more,
        );
    const failed = readFailures().value,
        failures = failed ? total(failed.groups.map(group => group.count)) : 0;
    const paused = (state.pulse?.paused.handlers.length || 0) + (state.pulse?.paused.queues.length || 0);
    return h(
        'aside',
        { class: 'side' },
        link(
            '?',
            { class: 'brand' },
            logo(),
            h(
                'span',
                { class: 'clip' },
                h('b', null, 'delayjob'),
                h(
                    'small',
                    { class: 'clip', title: session && place },
                    session?.application || BLANK,
                    session?.environment && [' · ', h('b', { class: 'env' }, session.environment)],
                ),
            ),
        ),
        storeChoice(),
        h(
            'nav',
            { class: 'nav', 'aria-label': 'Pages' },
            item('overview', 'Overview'),
            item('wheel', 'Live wheel'),
            item('timetable', 'Timetable'),
            h('div', { class: 'navhead' }, 'Work'),
            item('jobs', 'Jobs'),
            h(
                'div',
                { class: 'sub' },
                STATES.map(name =>
                    link(
                        search('jobs', { state: name }),
                        {
                            key: name,
                            class: 's-' + name.toLowerCase(),
                            'aria-current': page === 'jobs' && chosen === name ? 'page' : null,
                        },
                        STATE_NAMES[name],
                        h('span', { class: 'n' }, state.pulse ? countOf(name) : ''),
                    ),
                ),
            ),
            item('groups', 'Groups'),
            item(
                'failures',
                'Failures',
                failures ? h('span', { class: 'n bad', title: 'in 24 hours' }, n0(failures)) : null,
            ),
            h('div', { class: 'navhead' }, 'Runtime'),
            item('handlers', 'Handlers', paused ? h('span', { class: 'n' }, paused + ' paused') : null),
            item('cluster', 'Cluster', h('span', { class: 'n' }, instances().length || '')),
        ),
        h(
            'div',
            { class: 'foot' },
            self() && h('div', null, 'Answered by ', h('b', null, instanceName(self()))),
            session &&
                h(
                    'div',
                    { class: 'wraps' + (isOpen() ? ' st s-ready' : '') },
                    isOpen() ? 'Anybody may ' : session.user ? ['You are ', h('b', null, cut(session.user, 60)), ', and may '] : 'You may ',
                    session.mayChange ? 'change jobs' : 'look',
                    isOpen() && ' here.',
                ),
            session && h('div', null, 'delayjob ', session.version),
        ),
    );
}

function topbar(title, crumb) {
    const dark = isDark();
    return h(
        'header',
        { class: 'top' },
        crumb && link(crumb[1], { class: 'crumb' }, crumb[0]),
        h('h1', { class: 'clip', title }, title),
        h('div', { class: 'grow' }),
        h(
            'form',
            {
                class: 'field find',
                role: 'search',
                onSubmit: e => {
                    e.preventDefault();
                    find(e.target.elements.find.value);
                    e.target.reset();
                },
            },
            icon('search', 14),
            h('label', { class: 'vh', for: 'find' }, 'Find a job'),
            h('input', {
                id: 'find',
                name: 'find',
                placeholder: 'Id, key or handler',
                autocomplete: 'off',
                spellcheck: false,
            }),
            h('kbd', { 'aria-hidden': 'true' }, '/'),
        ),
        h(
            'button',
            {
                type: 'button',
                class: 'btn ghost',
                'aria-pressed': String(state.live),
                title: 'Stop or continue (space)',
                onClick: toggleLive,
            },
            h(
                'span',
                { class: 'live' + (!state.live ? ' off' : state.trouble ? ' bad' : '') },
                state.live ? 'Live' : 'Stopped',
            ),
        ),
        h(
            'button',
            {
                type: 'button',
                class: 'btn ghost',
                title: `Times are in ${zoneName()}. Click for ${zoneName() === 'UTC' ? BROWSER_ZONE : 'UTC'}.`,
                onClick: toggleZone,
            },
            zoneName() === 'UTC' ? 'UTC' : zoneName().split('/').pop().replace(/_/g, ' '),
        ),
        iconButton(dark ? 'Light theme (t)' : 'Dark theme (t)', dark ? 'sun' : 'moon', toggleTheme),
        iconButton('Keyboard shortcuts (?)', 'help', showKeys),
    );
}

const SHORTCUTS = [
    ['/', 'Find a job by id, key or handler'],
    ['space', 'Stop or continue the updates'],
    ['t', 'Light or dark'],
    ['?', 'Show these keys'],
    ['g o', 'Overview'],
    ['g w', 'Live wheel'],
    ['g t', 'Timetable'],
    ['g j', 'Jobs'],
    ['g g', 'Groups'],
    ['g f', 'Failures'],
    ['g h', 'Handlers'],
    ['g c', 'Cluster'],
    ['j k', 'Next and previous job'],
    ['x', 'Select the job'],
    ['enter', 'Open the job'],
    ['← →', 'Next and previous minute of the timetable'],
];
function showKeys() {
    state.dialog = close =>
        h(
            Dialog,
            { title: 'Keys', onClose: close },
            h(
                'div',
                { class: 'in' },
                h(
                    'dl',
                    { class: 'keys' },
                    SHORTCUTS.map(([keys, what]) =>
                        h(
                            'div',
                            { key: keys },
                            h(
                                'dt',
                                null,
                                keys.split(' ').map(key => h('kbd', { key }, key)),
                            ),
                            h('dd', null, what),
                        ),
                    ),
                ),
            ),
            h('footer', null, button('Close', close, { autofocus: true })),
        );
    changed();
}

function banner() {
    const { trouble, pulse } = state,
        kept = pulse ? ` The data on this page is from ${clock(instant(pulse.time))}.` : '';
    const again = button('Try again', beat, { cls: 's' });
    if (trouble?.kind === 'gone')
        return note(
            'late',
            'info',
            `Not connected since ${clock(trouble.since)}.`,
            `Trying again every 5 s. The application may be restarting.${kept}`,
            again,
        );
    if (trouble?.kind === 'session')
        return note(
            'paused',
            'lock',
            'Your session has ended.',
            `Sign in again to continue.${kept}`,
            button('Sign in', () => location.reload(), { cls: 's' }),
        );
    if (trouble?.kind === 'forbidden')
        return note(
            'paused',
            'lock',
            'You may not look at the jobs.',
            'The application’s security rules refuse this endpoint to you (403).',
            again,
        );
    if (trouble?.kind === 'store')
        return note(
            'failed',
            'failures',
            'The job store does not answer.',
            `${trouble.reason} Jobs wait, none is lost.${kept}`,
            again,
        );
    if (trouble) return note('failed', 'info', 'The server cannot answer.', trouble.reason + kept, again);
    const worst = pulse?.engine.troubles?.[0];
    if (worst) {
        return note(
            'failed',
            'failures',
            `${instanceName(self())} does not reach its database.`,
            `Its ${worst.role} has been failing for ${dur(millis(worst.lasting))}: ${worst.error}. Jobs wait, none is lost.`,
        );
    }
    return isOpen() && pageName() === 'overview'
        ? note(
              'late',
              'lock',
              'Anybody may change jobs here.',
              'The endpoint is unrestricted, and there is no Spring Security: anybody who can reach this port can cancel and retry jobs.',
          )
        : null;
}

/** Draws a page, or the reason why it cannot be drawn: an error on one page must not take the others away. */
function drawn(page) {
    try {
        return page.draw(state.query);
    } catch (error) {
        console.error(error);
        return { title: 'delayjob', body: note('failed', 'info', 'This page cannot be shown.', String(error)) };
    }
}

class App extends Component {
    render() {
        beginDrawing();
        // The search uses their names.
        readHandlers();
        // Colours are given by traffic, so the busiest handlers get theirs first.
        const hour = readMinutes();
        if (hour.value || hour.error)
            giveColours(
                [...(hour.value?.handlers || [])]
                    .sort((a, b) => total(b.starts) - total(a.starts))
                    .map(handler => handler.name),
            );
        const page = pageName(),
            { title, crumb, body } = drawn(PAGES[page]);
        document.title = [title, cut(state.session?.application, 60), 'delayjob'].filter(Boolean).join(' · ');
        return [
            h('a', { class: 'skip', href: '#main' }, 'Skip to content'),
            sidebar(page),
            h(
                'div',
                { class: 'page' },
                topbar(title, crumb),
                h(
                    'main',
                    { id: 'main', tabIndex: -1, 'data-page': page, key: page + (state.query.get('id') || '') },
                    banner(),
                    progress(),
                    body,
                ),
            ),
            h(
                'div',
                { class: 'notice' + (state.notice ? ' s-' + state.notice.kind : ''), role: 'status' },
                state.notice && [
                    icon(state.notice.kind === 'failed' ? 'info' : 'check', 14),
                    h('span', null, state.notice.text),
                    iconButton('Close', 'x', () => {
                        state.notice = null;
                        changed();
                    }),
                ],
            ),
            state.dialog?.(() => {
                state.dialog = null;
                changed();
            }),
        ];
    }

    componentDidUpdate() {
        endDrawing();
        // On a phone, the row of pages is wider than the window.
        if (this.page !== pageName())
            document.querySelector('.nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
        this.page = pageName();
    }

    componentDidMount() {
        endDrawing();
    }
}

let prefixed = -Infinity;
addEventListener('keydown', e => {
    if (e.metaKey || e.ctrlKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || state.dialog)
        return;
    const isControl = /^(BUTTON|A|SUMMARY)$/.test(e.target.tagName);
    if (e.key === '/') {
        e.preventDefault();
        document.getElementById('find').focus();
    } else if (e.timeStamp - prefixed < 1000 && e.key in KEYS) {
        prefixed = -Infinity;
        go('?' + KEYS[e.key]);
    } else if (e.key === 'g') prefixed = e.timeStamp;
    else if (e.key === 't') toggleTheme();
    else if (e.key === '?') showKeys();
    else if (e.key === ' ' && !isControl && e.target.getAttribute('role') !== 'slider') {
        e.preventDefault();
        toggleLive();
    } else PAGES[pageName()].onKey?.(e);
});

addEventListener('click', e => {
    const a = e.target.closest?.('a[href]');
    if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (!a.getAttribute('href').startsWith('?')) return;
    e.preventDefault();
    go(a.getAttribute('href'));
});
addEventListener('popstate', arrived);
addEventListener('visibilitychange', () => {
    if (!document.hidden) beat();
});

state.store = kept.get('store') || null;
if (kept.get('zone') === 'browser') useZone(BROWSER_ZONE);
const place = document.getElementById('app');
onChange(() => render(h(App, { at: Date.now() }), place));
changed();
openSession()
    .catch(() => {})
    .finally(beat);
