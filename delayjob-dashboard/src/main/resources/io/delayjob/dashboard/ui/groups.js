/* Groups of jobs: how far each has come, and how to cancel one. */
import { h } from './preact.module.js';
import { askCancelGroup, mayChange } from './actions.js';
import { read } from './api.js';
import { bar, button, card, empty, heads, link, loaded, since, stale, stateText, wide } from './parts.js';
import { now, search } from './state.js';
import { SECOND, instant, n0 } from './text.js';

/** The endpoint lists no more of each kind. */
const MOST = 100;

const ENDED = 'Ended';

/** State of a group: the word, and the state of a job whose sign it has. */
const STATES = {
    OPEN: ['READY', 'Open'],
    CLOSED: ['RUNNING', 'Closed'],
    ENDED: ['FINISHED', 'Ended'],
    CANCELLED: ['CANCELLED', 'Cancelled'],
};

export function draw() {
    const entry = read('groups', 'groups', 5 * SECOND);
    return { title: 'Groups', body: loaded(entry, all => body(all, entry), 6) };
}

function body({ groups, ended }, entry) {
    if (!groups.length && !ended.length)
        return h(
            'section',
            { class: 'card' },
            empty('groups', 'No groups', 'Jobs that an application adds to a group are counted here until all have ended.'),
        );
    return [
        card('Not ended', length(groups, 'oldest'), stale(entry), table('Not ended', groups)),
        ended.length > 0 && card(ENDED, length(ended, 'newest'), null, table(ENDED, ended)),
    ];
}

const length = (groups, which) => (groups.length < MOST ? n0(groups.length) : `the ${which} ${MOST}`);

const table = (label, groups) =>
    wide(
        label,
        h(
            'table',
            null,
            heads(
                'Group',
                'State',
                'Members that have ended',
                ['Failed', 'right'],
                ['Cancelled', 'right'],
                'Begun',
                label === ENDED ? ENDED : '',
            ),
            h('tbody', null, groups.map(row)),
        ),
    );

function row(group) {
    const { name, begun, finished, failed, cancelled } = group,
        done = finished + failed + cancelled,
        [sign, word] = STATES[group.state];
    return h(
        'tr',
        { key: name },
        h('td', null, link(search('jobs', { group: name }), null, h('b', { class: 'clip', title: name }, name))),
        h('td', null, stateText(sign, word)),
        h('td', null, h('span', { class: 'row' }, bar(begun ? done / begun : 0), `${n0(done)} of ${n0(begun)}`)),
        h('td', { class: 'right' }, failed ? h('span', { class: 'st s-failed' }, n0(failed)) : '–'),
        h('td', { class: 'right' }, cancelled ? n0(cancelled) : '–'),
        h('td', { class: 'mut' }, since(instant(group.createdAt), now())),
        group.endedAt
            ? h('td', { class: 'mut' }, since(instant(group.endedAt), now()))
            : h(
                  'td',
                  { class: 'right' },
                  /OPEN|CLOSED/.test(group.state) &&
                      mayChange() &&
                      button('Cancel…', () => askCancelGroup(name, begun - done), { cls: 's bad' }),
              ),
    );
}
