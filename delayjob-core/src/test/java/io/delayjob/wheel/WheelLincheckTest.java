package io.delayjob.wheel;

import static io.delayjob.interleavings.Scenario.racing;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.interleavings.Interleavings;
import io.delayjob.interleavings.Mutant;
import io.delayjob.interleavings.Mutants;
import io.delayjob.interleavings.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Tests the wheel by Lincheck, which tries the interleavings of small scenarios one by one. Lincheck must also find the
 * faults of mutants.
 */
@Tag("lincheck")
class WheelLincheckTest {

    private static final Scenario TWO_ARRIVE = racing("schedule(0, 1)", "schedule(1, 1)");
    private static final Scenario ARRIVES_AS_POLLED = racing("schedule(0, 0)", "tick()");
    private static final Scenario ARRIVES_WHILE_RESTING =
            racing("schedule(0, 0)", "schedule(0, 1)").after("schedule(1, 2); tick()");
    private static final Scenario COMES_AND_GOES_AS_POLLED = racing("schedule(0, 1); cancel(0)", "tick()");
    private static final Scenario CANCELLED_AS_IT_FIRES =
            racing("cancel(0)", "tick()").after("schedule(0, 1)");
    private static final Scenario CANCELLED_TWICE =
            racing("cancel(0)", "cancel(0)").after("schedule(0, 1)");
    private static final Scenario TWO_ARE_CANCELLED =
            racing("cancel(0)", "cancel(1)").after("schedule(0, 2); schedule(1, 2); tick()");
    private static final Scenario ARRIVES_AS_CLOSED = racing("schedule(0, 1)", "close()");
    private static final Scenario TWO_ARRIVE_AS_CLOSED = racing("schedule(0, 1)", "schedule(1, 1)", "close()");
    private static final Scenario TWO_ARRIVE_FOR_ONE_PLACE =
            racing("schedule(0, 2)", "schedule(1, 2)").after("schedule(0, 2); schedule(1, 2)");

    private static final Scenario LOOKED_AT_AS_POLLED = racing("look()", "tick()");
    private static final Scenario LOOKED_AT_AS_CLOSED = racing("look()", "close()");

    private static final List<Scenario> RACES = List.of(
            TWO_ARRIVE,
            ARRIVES_AS_POLLED,
            ARRIVES_WHILE_RESTING,
            COMES_AND_GOES_AS_POLLED,
            CANCELLED_AS_IT_FIRES,
            CANCELLED_TWICE,
            TWO_ARE_CANCELLED,
            ARRIVES_AS_CLOSED,
            TWO_ARRIVE_AS_CLOSED,
            TWO_ARRIVE_FOR_ONE_PLACE,
            LOOKED_AT_AS_POLLED,
            LOOKED_AT_AS_CLOSED,
            racing("schedule(0, 1)", "look()", "tick()"),
            racing("look()", "cancel(0)", "tick()").after("schedule(0, 1)"),
            racing("schedule(0, 1)", "leap()"),
            racing("schedule(0, 1); schedule(1, 2)", "leap(); tick()"),
            racing("reschedule(0, 1)", "tick(); tick()").after("schedule(0, 1)"),
            racing("reschedule(0, 1)", "reschedule(0, 0)", "tick()").after("schedule(0, 1)"),
            racing("schedule(0, 1)", "cancel(1)", "close()").after("schedule(1, 1)"));

    private static final List<Scenario> HANDLES = List.of(
            racing("cancel(0); isPending(0)", "cancel(0)", "tick()"),
            racing("cancel(0); cancel(1)", "tick(); tick()"),
            racing("isPending(0); isPending(0)", "tick()"),
            racing("isPending(1); isPending(1)", "cancel(1)", "tick(); tick()"));

    private static final Mutant TAKE = new Mutant(
            "take_is_check_then_act",
            "Entry",
            "return ELEMENT.compareAndSet(this, expected, null);",
            "if (element != expected) { return false; } element = null; return true;",
            CANCELLED_AS_IT_FIRES,
            "a timer ended twice");

    static final List<Mutant> MUTANTS = List.of(
            TAKE,
            new Mutant(
                    "place_is_reserved_in_two_steps",
                    "Inbox",
                    "int place = segment.reserved.getAndIncrement();",
                    "int place = segment.reserved.get(); segment.reserved.set(place + 1);",
                    TWO_ARRIVE,
                    "the size is not the number of pending timers"),
            new Mutant(
                    "place_is_skipped_that_is_not_filled_yet",
                    "Inbox",
                    "if (entry == null) {\n                return false;",
                    "if (entry == null) {\n                next++; continue;",
                    ARRIVES_AS_POLLED,
                    "a pending timer lies in no slot"),
            new Mutant(
                    "poller_rests_without_another_look",
                    "TimingWheel",
                    "if (inbox.hasMore() || onlookers.areWaiting()) {",
                    "if (onlookers.areWaiting()) {",
                    ARRIVES_AS_POLLED,
                    "the poller sleeps past a timer"),
            new Mutant(
                    "poller_rests_without_another_look_for_onlookers",
                    "TimingWheel",
                    "if (inbox.hasMore() || onlookers.areWaiting()) {",
                    "if (inbox.hasMore()) {",
                    LOOKED_AT_AS_POLLED,
                    "the poller sleeps past an onlooker"),
            new Mutant(
                    "snapshot_does_not_look_for_a_close",
                    "TimingWheel",
                    "if (closed) {\n            onlookers",
                    "if (false) {\n            onlookers",
                    LOOKED_AT_AS_CLOSED,
                    "an onlooker waits for ever"),
            new Mutant(
                    "nobody_is_woken_for_an_earlier_deadline",
                    "Rest",
                    "return underWay.get() && until - time > 0;",
                    "return false;",
                    ARRIVES_WHILE_RESTING,
                    "the poller sleeps past a timer"),
            new Mutant(
                    "schedule_does_not_look_for_a_close",
                    "TimingWheel",
                    "if (closed && entry.cancel()) {\n            throw",
                    "if (false && entry.cancel()) {\n            throw",
                    ARRIVES_AS_CLOSED,
                    "a timer is pending in a closed wheel"),
            new Mutant(
                    "close_does_not_wait_for_timers_on_their_way",
                    "TimingWheel",
                    "while (!inbox.take(wheel::add)) {",
                    "if (!inbox.take(wheel::add)) {",
                    TWO_ARRIVE_AS_CLOSED,
                    "a timer is pending in a closed wheel"),
            new Mutant(
                    "place_is_looked_for_then_taken",
                    "Places",
                    "} while (!free.compareAndSet(places, places - 1));",
                    "} while (false); free.decrementAndGet();",
                    TWO_ARRIVE_FOR_ONE_PLACE,
                    "more timers are pending than the bound allows"));

    @Test
    void everyTimerEndsExactlyOnceWhateverThreadsDo() {
        Interleavings.judgedByItself(RacingTimers.class, RACES);
    }

    @Test
    void handles_haveTheSameResultsAsIfUsedOneAfterTheOther() {
        Interleavings.linearizable(TimerHandles.class, HANDLES);
    }

    @Tag("full")
    @ParameterizedTest
    @FieldSource("MUTANTS")
    void mutantIsCaught(Mutant mutant) {
        Class<?> subject = Mutants.ofPackage(RacingTimers.class).subjectWith(mutant);
        assertThatThrownBy(() -> Interleavings.judgedByItself(subject, mutant.race()))
                .hasMessageContaining(mutant.caughtBy());
    }

    @Tag("full")
    @Test
    void handlesOfTheMutant_haveOtherResults() {
        Class<?> subject = Mutants.ofPackage(TimerHandles.class).subjectWith(TAKE);
        assertThatThrownBy(() -> Interleavings.linearizable(subject, HANDLES))
                .hasMessageContaining("Invalid execution results");
    }
}
