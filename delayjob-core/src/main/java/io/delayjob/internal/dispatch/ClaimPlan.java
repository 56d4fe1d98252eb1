package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Lane;
import io.delayjob.internal.lane.Slots;
import io.delayjob.internal.lane.Ticket;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the rows of one claim. The queues take turns, and each gives one row at a time. Rows that are not due yet get
 * only the places and slots that due rows leave free. The lock of the tickets guards this class.
 */
final class ClaimPlan {

    private final Deque<Slots> queues;
    private final Function<Lane, @Nullable Ticket> due;
    private final Function<Lane, @Nullable Ticket> ahead;
    private final int laneCount;
    private final boolean piledUp;
    private final List<Ticket> chosen = new ArrayList<>();

    private ClaimPlan(Lanes lanes, boolean backlogToo) {
        this.queues = lanes.queueTurns;
        Predicate<Ticket> passes = lanes.gates::take;
        this.due = lane -> lane.claimDue(backlogToo, passes);
        this.ahead = lane -> lane.claimAhead(passes);
        this.laneCount = lanes.all().size();
        this.piledUp = backlogToo && lanes.all().stream().anyMatch(Lane::hasPile);
    }

    /** With a smaller limit, rows that become due during the claim wait for less time. */
    static List<Ticket> choose(Lanes lanes, boolean backlogToo, int limit) {
        ClaimPlan plan = new ClaimPlan(lanes, backlogToo);
        int room = plan.chooseDue(backlogToo ? limit : Math.min(limit, Lane.PILE));
        // Due rows must not wait for a large claim of rows that are not due.
        plan.chooseAhead(Math.min(room, Math.max(plan.chosen.size(), Lane.PILE)));
        return plan.chosen;
    }

    private int chooseDue(int limit) {
        int room = limit;
        Ticket next;
        while (chosen.size() < room && (next = next(due)) != null) {
            chosen.add(next);
            if (piledUp && next.lane().isLastOfItsKind(next)) {
                // A row that has just become due must not wait while a whole batch of old overdue rows is claimed.
                room = Math.min(room, chosen.size() + laneCount);
            }
        }
        return room;
    }

    private void chooseAhead(int limit) {
        Ticket next;
        while (chosen.size() < limit && (next = next(ahead)) != null) {
            chosen.add(next);
        }
    }

    private @Nullable Ticket next(Function<Lane, @Nullable Ticket> claim) {
        for (int i = queues.size(); i > 0; i--) {
            Slots queue = queues.remove();
            queues.add(queue);
            Ticket next = queue.claim(claim);
            if (next != null) {
                return next;
            }
        }
        return null;
    }
}
