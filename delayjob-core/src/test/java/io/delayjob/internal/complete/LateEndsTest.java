package io.delayjob.internal.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.internal.dispatch.FaultyStore;
import io.delayjob.job.GivenJob;
import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LateEndsTest {

    private static final JobId FIRST = GivenJob.id(1);
    private static final JobId SECOND = GivenJob.id(2);

    private final HandClock clock = new HandClock();
    private final FaultyStore store = new FaultyStore(new MemoryJobStore(clock::storeMicros));
    private final LateEnds lateEnds = new LateEnds(store.asStore(), clock);

    @Test
    void noLateEnd_sendsNothing() {
        assertThat(sent(Set.of())).isEmpty();
        assertThat(lateEnds.untilNext()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    @Test
    void lateEnd_isSentOnce() {
        lateEnds.add(FIRST);
        assertThat(sent(Set.of())).containsExactly(List.of(FIRST));
        assertThat(sent(Set.of())).isEmpty();
        assertThat(lateEnds.untilNext()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    @Test
    void lateEnd_waitsForTheOutcomeOfItsAttempt_andDelaysNoOther() {
        lateEnds.add(FIRST);
        lateEnds.add(SECOND);
        assertThat(sent(Set.of(FIRST))).containsExactly(List.of(SECOND));
        assertThat(lateEnds.untilNext())
                .as("the write of the outcome calls the agent")
                .isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(sent(Set.of())).containsExactly(List.of(FIRST));
    }

    @Test
    void lateEndsOfALockedRow_areAllSentAgainAfterAPause() {
        lateEnds.add(FIRST);
        lateEnds.add(SECOND);
        lateEnds.add(FIRST);
        store.lock(FIRST);
        assertThat(sent(Set.of())).containsExactly(List.of(FIRST, SECOND, FIRST));
        assertThat(lateEnds.untilNext()).isEqualTo(LateEnds.PAUSE.toNanos());
        assertThat(sent(Set.of())).as("too early").isEmpty();

        clock.advance(LateEnds.PAUSE);
        assertThat(lateEnds.untilNext()).isZero();
        assertThat(sent(Set.of())).as("still locked").containsExactly(List.of(FIRST, FIRST));

        clock.advance(LateEnds.PAUSE);
        store.unlock(FIRST);
        assertThat(sent(Set.of())).containsExactly(List.of(FIRST, FIRST));
        assertThat(lateEnds.untilNext()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    @Test
    void lockedRow_delaysNoNewLateEnd_andIsNotDelayedByOthers() {
        lateEnds.add(FIRST);
        store.lock(FIRST);
        sent(Set.of());
        clock.advance(Duration.ofMillis(600));
        lateEnds.add(SECOND);
        store.lock(SECOND);
        assertThat(sent(Set.of())).containsExactly(List.of(SECOND));

        clock.advance(Duration.ofMillis(400));
        assertThat(lateEnds.untilNext()).isZero();
        store.unlock(FIRST);
        store.unlock(SECOND);
        assertThat(sent(Set.of())).containsExactly(List.of(FIRST, SECOND));
        assertThat(lateEnds.untilNext()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    @Test
    void lateEndWithoutAnAnswer_isNotSentAgain_evenIfItsRowWasLockedBefore() {
        lateEnds.add(FIRST);
        store.lock(FIRST);
        sent(Set.of());
        clock.advance(LateEnds.PAUSE);
        store.unlock(FIRST);
        store.loseAnswerOf("settleDoubt");
        assertThatThrownBy(() -> lateEnds.settle(Set.of())).isInstanceOf(StoreException.class);

        clock.advance(LateEnds.PAUSE);
        assertThat(sent(Set.of())).isEmpty();
        assertThat(lateEnds.untilNext()).isEqualTo(Agent.UNTIL_WOKEN);
    }

    /** Returns the ids of each request that the late ends send. */
    private List<List<JobId>> sent(Set<JobId> unwritten) {
        store.forgetCalls();
        lateEnds.settle(unwritten);
        return store.calls("settleDoubt").stream()
                .map(call -> List.copyOf(call.<JobId>rows()))
                .toList();
    }
}
