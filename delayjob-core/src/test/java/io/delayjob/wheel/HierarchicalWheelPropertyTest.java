package io.delayjob.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/**
 * Compares the wheel with a sorted set. The model uses integers without a limit as times, so it shows whether the wheel
 * handles the overflow of times correctly.
 */
class HierarchicalWheelPropertyTest {

    /** A step of a test. Each kind of step uses the number in its own way. */
    record Step(Kind kind, long number) {}

    enum Kind {
        SCHEDULE,
        SCHEDULE_MANY,
        CANCEL,
        CANCEL_MANY,
        POLL,
        POLL_NEXT,
        SWEEP
    }

    @Property(tries = 1500)
    void does_what_a_sorted_set_does(
            @ForAll("times") long start, @ForAll("ticks") long tick, @ForAll("steps") List<Step> steps) {
        Model model = new Model(start, tick);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE, SCHEDULE_MANY -> model.schedule(step.number());
                case CANCEL, CANCEL_MANY -> model.cancel(step.number());
                case POLL, POLL_NEXT -> model.poll(Math.max(0, step.number()), Integer.MAX_VALUE);
                case SWEEP -> model.sweepAll();
            }
            model.checkSizes();
            model.sweepAll();
            model.checkLevels();
            model.checkNext();
        }
        model.pollUntilEmpty();
    }

    @Property(tries = 200)
    void large_slots_move_ahead_in_steps_and_change_nothing_else(
            @ForAll("times") long start,
            @ForAll("ticks") long tick,
            @ForAll("crowdedSteps") List<Step> steps,
            @ForAll @IntRange(min = 300, max = 1_000) int limit) {
        Model model = new Model(start, tick);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE -> model.schedule(step.number());
                case SCHEDULE_MANY -> model.scheduleMany(step.number());
                case CANCEL, CANCEL_MANY -> model.cancel(step.number());
                case POLL, POLL_NEXT -> model.poll(Math.max(0, step.number()), limit);
                case SWEEP -> model.wheel.sweep(limit);
            }
            model.checkSizes();
        }
        model.pollUntilEmpty();
    }

    /**
     * The clock moves to the time at which the wheel needs a poll, or beyond several slots. Each poll does only a part
     * of the work.
     */
    @Property(tries = 300)
    void cascadeInSteps_whateverHappensBetweenTheSteps_firesOnTimeAndInOrder(
            @ForAll("times") long start,
            @ForAll("ticks") long tick,
            @ForAll("stepsAmongCrowds") List<Step> steps,
            @ForAll @IntRange(min = 100, max = 1_000) int limit) {
        Model model = new Model(start, tick);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE -> model.schedule(step.number());
                case SCHEDULE_MANY -> model.scheduleMany(step.number());
                case CANCEL -> model.cancel(step.number());
                case CANCEL_MANY -> model.cancelMany(step.number());
                case POLL -> model.pollOnce(Math.max(0, step.number()), limit);
                case POLL_NEXT -> model.pollNext(limit);
                case SWEEP -> model.wheel.sweep(limit);
            }
            model.checkSizes();
        }
        for (int polls = 0; polls < 100_000 && model.wheel.size() > 0; polls++) {
            model.pollNext(limit);
        }
        model.checkSizes();
        assertThat(model.pending).isEmpty();
    }

    @Property(tries = 1500)
    void what_fires_may_schedule_or_throw_and_no_timer_is_early(
            @ForAll("times") long start,
            @ForAll("ticks") long tick,
            @ForAll("nearSteps") List<Step> steps,
            @ForAll("nearDurations") List<Long> ofConsumer,
            @ForAll @IntRange(min = 1, max = 5) int limit) {
        Model model = new Model(start, tick);
        model.scheduledByConsumer.addAll(ofConsumer);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE, SCHEDULE_MANY -> model.schedule(step.number());
                case CANCEL, CANCEL_MANY -> model.cancel(step.number());
                case POLL, POLL_NEXT -> model.pollActing(Math.max(0, step.number()), limit);
                case SWEEP -> model.wheel.sweep(limit);
            }
            model.checkSizes();
        }
        model.scheduledByConsumer.clear();
        model.pollActing(Long.MAX_VALUE / 2, Integer.MAX_VALUE);
        model.checkSizes();
        assertThat(model.wheel.size()).isZero();
    }

    @Property(tries = 500)
    void a_limit_changes_nothing_but_the_number_of_polls(
            @ForAll("times") long start,
            @ForAll("ticks") long tick,
            @ForAll("steps") List<Step> steps,
            @ForAll @IntRange(min = 1, max = 5) int limit) {
        Model model = new Model(start, tick);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE, SCHEDULE_MANY -> model.schedule(step.number());
                case CANCEL, CANCEL_MANY -> model.cancel(step.number());
                case POLL, POLL_NEXT -> model.poll(Math.max(0, step.number()), limit);
                case SWEEP -> model.wheel.sweep(limit);
            }
            model.checkSizes();
        }
        model.pollUntilEmpty();
    }

    @Property(tries = 500)
    void polls_that_leave_work_lose_nothing_and_keep_the_order(
            @ForAll("times") long start,
            @ForAll("ticks") long tick,
            @ForAll("nearSteps") List<Step> steps,
            @ForAll @IntRange(min = 1, max = 5) int limit) {
        Model model = new Model(start, tick);
        for (Step step : steps) {
            switch (step.kind()) {
                case SCHEDULE, SCHEDULE_MANY -> model.schedule(step.number());
                case CANCEL, CANCEL_MANY -> model.cancel(step.number());
                case POLL, POLL_NEXT -> model.pollOnce(Math.max(0, step.number()), limit);
                case SWEEP -> model.wheel.sweep(limit);
            }
            model.checkSizes();
        }
        model.pollOnce(Long.MAX_VALUE / 2, Integer.MAX_VALUE);
        model.checkSizes();
        assertThat(model.wheel.size()).isZero();
    }

    @Provide
    Arbitrary<Long> times() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.longs()),
                Tuple.of(1, Arbitraries.longs().between(Long.MAX_VALUE - 1_000_000, Long.MAX_VALUE)),
                Tuple.of(1, Arbitraries.longs().between(-1_000_000, 1_000_000)));
    }

    @Provide
    Arbitrary<Long> ticks() {
        return Arbitraries.of(1L, 1L, 2L, 1L << 10, 1L << 16, 1L << 19, 1L << 29);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return steps(durations());
    }

    /** Generates steps with deadlines and leaps of at most a minute, so that they often meet. */
    @Provide
    Arbitrary<List<Step>> nearSteps() {
        return steps(durations().map(duration -> duration % 60_000_000_000L));
    }

    /** Generates a few steps, and many timers within three minutes. */
    @Provide
    Arbitrary<List<Step>> crowdedSteps() {
        Arbitrary<Kind> kinds = Arbitraries.of(
                Kind.SCHEDULE, Kind.SCHEDULE_MANY, Kind.SCHEDULE_MANY, Kind.CANCEL, Kind.POLL, Kind.POLL, Kind.SWEEP);
        return Combinators.combine(kinds, durations().map(duration -> duration % 180_000_000_000L))
                .as(Step::new)
                .list()
                .ofMaxSize(12);
    }

    /** Generates many timers within three minutes, and mostly polls at the times at which the wheel needs them. */
    @Provide
    Arbitrary<List<Step>> stepsAmongCrowds() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(1, Kind.SCHEDULE),
                Tuple.of(4, Kind.SCHEDULE_MANY),
                Tuple.of(1, Kind.CANCEL),
                Tuple.of(2, Kind.CANCEL_MANY),
                Tuple.of(1, Kind.POLL),
                Tuple.of(8, Kind.POLL_NEXT),
                Tuple.of(1, Kind.SWEEP));
        return Combinators.combine(kinds, durations().map(duration -> duration % 180_000_000_000L))
                .as(Step::new)
                .list()
                .ofMinSize(4)
                .ofMaxSize(30);
    }

    @Provide
    Arbitrary<List<Long>> nearDurations() {
        return durations().map(duration -> duration % 60_000_000_000L).list().ofMaxSize(60);
    }

    private static Arbitrary<List<Step>> steps(Arbitrary<Long> numbers) {
        Kind[] kinds = {Kind.SCHEDULE, Kind.CANCEL, Kind.POLL, Kind.SWEEP};
        return Combinators.combine(Arbitraries.of(kinds), numbers)
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    /**
     * Generates nanoseconds of all sizes. They are often close to a power of two, so that timers are at the edges of
     * slots and levels.
     */
    private static Arbitrary<Long> durations() {
        Arbitrary<Long> nearPowers = Combinators.combine(
                        Arbitraries.integers().between(0, 62),
                        Arbitraries.longs().between(-3, 3))
                .as((power, offset) -> (1L << power) + offset);
        return Arbitraries.frequencyOf(
                Tuple.of(4, nearPowers),
                Tuple.of(2, Arbitraries.longs().between(-100, 1_000_000)),
                Tuple.of(1, Arbitraries.longs()),
                Tuple.of(1, Arbitraries.of(0L, Long.MAX_VALUE)));
    }

    private static final class Thrown extends RuntimeException {}

    /** The wheel under test, and a model of the expected behaviour. */
    private static final class Model {

        private record Timer(int number, BigInteger deadline, boolean isLate, BigInteger tick, Timeout<?> timeout) {}

        private final BigInteger start;
        private final BigInteger tickNanos;
        private final DrivenWheel<Integer> wheel;
        private final TreeSet<Timer> pending =
                new TreeSet<>(Comparator.comparing(Timer::tick).thenComparing(Timer::number));
        private final List<Timer> all = new ArrayList<>();

        /** Delays of the timers that the consumer schedules, with the next timer at the end. */
        private final List<Long> scheduledByConsumer = new ArrayList<>();

        private BigInteger now;

        Model(long start, long tickNanos) {
            this.start = BigInteger.valueOf(start);
            this.now = this.start;
            this.tickNanos = BigInteger.valueOf(tickNanos);
            this.wheel = new DrivenWheel<>(start, Duration.ofNanos(tickNanos));
        }

        void schedule(long delay) {
            BigInteger deadline = now.add(BigInteger.valueOf(Math.min(delay, HierarchicalWheel.LONGEST_DELAY)));
            boolean late = deadline.compareTo(now) <= 0;
            BigInteger tick =
                    late ? currentTick() : tickBefore(deadline.add(tickNanos).subtract(BigInteger.ONE));
            int number = all.size();
            Timer timer = new Timer(number, deadline, late, tick, wheel.schedule(number, deadline.longValue()));
            all.add(timer);
            pending.add(timer);
        }

        /** Schedules many timers within a few microseconds to a few seconds. */
        void scheduleMany(long delay) {
            long spread = 1L << Math.floorMod(delay, 32);
            for (int i = 0; i < 1_500; i++) {
                schedule(delay + Long.remainderUnsigned(i * 0x9E37_79B9_7F4A_7C15L, spread));
            }
        }

        void cancel(long number) {
            if (!all.isEmpty()) {
                Timer timer = all.get((int) Long.remainderUnsigned(number, all.size()));
                assertThat(timer.timeout.cancel()).isEqualTo(pending.remove(timer));
            }
        }

        /** Cancels every seventh timer. */
        void cancelMany(long first) {
            for (int i = Math.floorMod(first, 7); i < all.size(); i += 7) {
                Timer timer = all.get(i);
                assertThat(timer.timeout.cancel()).isEqualTo(pending.remove(timer));
            }
        }

        /** Polls once at the time at which the wheel needs a poll. That time must not be after a timer. */
        void pollNext(int limit) {
            long wait = wheel.nanosToNext();
            if (wait < Long.MAX_VALUE) {
                checkRestEndsInTime(wait);
                pollOnce(wait, limit);
            }
        }

        /** Polls until no work is left. Checks that the due timers fire, in the order of ticks. */
        void poll(long nanos, int limit) {
            now = now.add(BigInteger.valueOf(nanos));
            List<Integer> expected = new ArrayList<>();
            while (!pending.isEmpty() && pending.first().tick.compareTo(currentTick()) <= 0) {
                expected.add(pending.pollFirst().number);
            }
            List<Integer> fired = new ArrayList<>();
            long done = wheel.cascades();
            long left;
            do {
                left = wheel.poll(now.longValue(), limit, fired::add);
                long before = done;
                done = wheel.cascades() + fired.size();
                assertThat(done - before).isBetween(0L, (long) limit);
            } while (left == 0);
            assertThat(fired).isEqualTo(expected);
        }

        /** Polls once. Checks that no more timers fire than the limit allows, none early, and in the order of ticks. */
        void pollOnce(long nanos, int limit) {
            now = now.add(BigInteger.valueOf(nanos));
            List<Integer> fired = new ArrayList<>();
            long moved = wheel.cascades();
            boolean isDone = wheel.poll(now.longValue(), limit, fired::add) > 0;
            assertThat(fired.size() + wheel.cascades() - moved).isBetween(0L, (long) limit);
            for (int number : fired) {
                Timer timer = all.get(number);
                assertThat(timer.deadline).isLessThanOrEqualTo(now);
                assertThat(pending.remove(timer)).isTrue();
            }
            List<Timer> onTime =
                    fired.stream().map(all::get).filter(timer -> !timer.isLate).toList();
            assertThat(onTime).isSortedAccordingTo(pending.comparator());
            if (!onTime.isEmpty()) {
                Timer last = onTime.get(onTime.size() - 1);
                assertThat(pending.headSet(last)).allMatch(Timer::isLate);
            }
            if (isDone && !pending.isEmpty()) {
                assertThat(pending.first().tick).isGreaterThan(currentTick());
            }
        }

        /**
         * Polls once, with a consumer that sometimes schedules a timer or throws an exception. Checks that no timer is
         * early, that each timer fires once, and that the time of the wheel never goes back.
         */
        void pollActing(long nanos, int limit) {
            now = now.add(BigInteger.valueOf(nanos));
            long[] began = {wheel.tickStartNanos()};
            try {
                wheel.poll(now.longValue(), limit, number -> {
                    assertThat(wheel.tickStartNanos() - began[0]).isNotNegative();
                    began[0] = wheel.tickStartNanos();
                    Timer timer = all.get(number);
                    assertThat(timer.deadline).isLessThanOrEqualTo(now);
                    assertThat(pending.remove(timer)).isTrue();
                    act();
                });
            } catch (Thrown expected) {
                assertThat(wheel.tickStartNanos() - began[0]).isNotNegative();
            }
        }

        private void act() {
            if (!scheduledByConsumer.isEmpty()) {
                long delay = scheduledByConsumer.remove(scheduledByConsumer.size() - 1);
                schedule(delay);
                if (delay % 3 == 0) {
                    throw new Thrown();
                }
            }
        }

        /** Sweeps all slots. Checks that no cancelled timer is left. */
        void sweepAll() {
            for (int passes = 0; passes < 2; ) { // the first may be the rest of one that had begun
                passes += wheel.sweep(1) ? 0 : 1;
            }
        }

        void pollUntilEmpty() {
            sweepAll();
            for (int polls = 8 * pending.size(); polls > 0; polls--) {
                poll(pending.isEmpty() ? 0 : wheel.nanosToNext(), Integer.MAX_VALUE);
                checkNext();
            }
            assertThat(pending).isEmpty();
            checkSizes();
        }

        void checkSizes() {
            assertThat(wheel.size()).isEqualTo(pending.size());
            assertThat(wheel.slots().stream()
                            .mapToInt(WheelSnapshot.LevelSlots::timers)
                            .sum())
                    .as("timers in the slots of a snapshot, even during a cascade")
                    .isEqualTo(wheel.lying());
            assertThat(all).allMatch(timer -> timer.timeout.isPending() == pending.contains(timer));
        }

        /**
         * Checks that each timer is on the level of the highest digit in which its tick differs from the current tick.
         */
        void checkLevels() {
            BigInteger ticks = BigInteger.ONE.shiftLeft(64).divide(tickNanos); // after that, their numbers repeat
            int[] expected = new int[8];
            Map<List<Integer>, Integer> expectedSlots = new HashMap<>();
            for (Timer timer : pending) {
                long difference = timer.tick.xor(currentTick()).mod(ticks).longValue();
                int level = difference == 0 ? 0 : (63 - Long.numberOfLeadingZeros(difference)) / 8;
                expected[level]++;
                int inTurn = timer.tick.mod(ticks).shiftRight(8 * level).intValue() & 255;
                expectedSlots.merge(List.of(level, inTurn), 1, Integer::sum);
            }
            assertThat(wheel.levels()).extracting(LevelOccupancy::timers).containsExactly(box(expected));
            Map<List<Integer>, Integer> slots = new HashMap<>();
            for (WheelSnapshot.LevelSlots level : wheel.slots()) {
                level.slots().forEach(slot -> slots.put(List.of(level.level(), slot.slot()), slot.timers()));
                assertThat(level.position())
                        .isEqualTo(currentTick()
                                        .mod(ticks)
                                        .shiftRight(8 * level.level())
                                        .intValue()
                                & 255);
            }
            assertThat(slots).isEqualTo(expectedSlots);
        }

        /**
         * Checks how long the owner may sleep: until the next slot, but never longer than until the next timer's tick.
         */
        void checkNext() {
            long nanos = wheel.nanosToNext();
            if (pending.isEmpty()) {
                assertThat(nanos).isEqualTo(Long.MAX_VALUE);
            } else {
                BigInteger upperBound = checkRestEndsInTime(nanos);
                assertThat(nanos == 0).isEqualTo(upperBound.signum() == 0);
            }
        }

        private BigInteger checkRestEndsInTime(long nanos) {
            if (pending.isEmpty()) {
                return now;
            }
            BigInteger next = start.add(pending.first().tick.multiply(tickNanos));
            BigInteger upperBound = next.subtract(now).max(BigInteger.ZERO);
            assertThat(BigInteger.valueOf(nanos)).isLessThanOrEqualTo(upperBound);
            return upperBound;
        }

        private BigInteger currentTick() {
            return tickBefore(now);
        }

        private BigInteger tickBefore(BigInteger time) {
            return time.subtract(start).divide(tickNanos);
        }

        private static Integer[] box(int[] numbers) {
            return Arrays.stream(numbers).boxed().toArray(Integer[]::new);
        }
    }
}
