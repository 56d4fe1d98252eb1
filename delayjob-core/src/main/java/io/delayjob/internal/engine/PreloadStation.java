package io.delayjob.internal.engine;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.dispatch.Intake;
import io.delayjob.internal.preload.ClaimLead;
import io.delayjob.internal.preload.Reads;
import io.delayjob.internal.preload.Scout;
import io.delayjob.internal.preload.SweepRules;
import io.delayjob.internal.preload.Sweeper;
import io.delayjob.internal.preload.WaitingRows;
import io.delayjob.internal.preload.WindowReader;
import io.delayjob.job.DueRow;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.WheelStatus;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import io.delayjob.wheel.WheelSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

final class PreloadStation {

    private final Roles roles;
    private final EngineClock clock;
    private final Duration window;
    private final int capacity;

    final Reads reads;
    final TimingWheel wheel;
    final WaitingRows waiting;
    private final WindowReader windowReader;
    private final Sweeper sweeper;
    private final Sweeper adopter;

    PreloadStation(EngineParts parts, Roles roles, LeadStation lead, Intake intake, ClaimLead claimLead) {
        EngineSettings settings = parts.settings();
        JobListeners listeners = parts.listeners();
        this.roles = roles;
        clock = parts.clock();
        window = settings.preload().window();
        capacity = maxWaiting(settings);
        reads = new Reads(
                parts.store(),
                lead.outlook,
                parts.clock(),
                listeners,
                settings.preload().batchSize());
        wheel = TimingWheel.builder(parts.clock()::nanoTime)
                .tick(settings.preload().wheelTick())
                .polledByOwner(roles.waking(Role.WHEEL));
        waiting = new WaitingRows(
                wheel,
                parts.clock(),
                intake,
                intake,
                claimLead,
                settings.preload().window(),
                maxWaiting(settings));
        windowReader = new WindowReader(
                reads,
                lead::ledAndNotPaused,
                waiting,
                settings.preload().window(),
                settings.sweep().grace());
        sweeper = new Sweeper(
                reads,
                parts.handlers()::names,
                intake,
                new SweepRules(
                        "sweep",
                        lead::ledAndNotPaused,
                        (name, queue) -> false,
                        intake::offerOverdue,
                        settings.sweep().interval(),
                        settings.sweep().grace(),
                        Duration.ZERO));
        Scout scout = new Scout(
                reads,
                lead::ledAndNotPaused,
                intake::takeScoutWishes,
                new Scout.Intakes(intake::offerScouted, intake::offerLatest),
                new Scout.Terms(settings.sweep().interval(), settings.sweep().grace()));
        adopter = new Sweeper(
                reads,
                parts.handlers()::names,
                intake.adopting(),
                new SweepRules(
                        "adopt",
                        lead::notLedAndNotPaused,
                        intake::hasEnoughOf,
                        (rows, asOfNanos) -> {
                            // Only the instance that decides about a key may start its rows.
                            List<DueRow> mine =
                                    rows.stream().filter(intake::isRunHere).toList();
                            List<DueRow> refused = intake.adopt(mine, asOfNanos);
                            int taken = mine.size() - refused.size();
                            if (taken > 0) {
                                listeners.tell(l -> l.adopted(taken));
                            }
                            return refused;
                        },
                        settings.sweep().adoptAfter().dividedBy(2),
                        settings.sweep().adoptAfter(),
                        settings.sweep().interval()));
        roles.assign(Role.WHEEL, new WheelAgent(wheel));
        roles.assign(Role.WINDOW, windowReader);
        roles.assign(Role.SWEEP, sweeper);
        roles.assign(Role.SCOUT, scout);
        roles.assign(Role.ADOPT, adopter);
    }

    static int maxReady(EngineSettings settings) {
        return settings.preload().maxJobs() / 2;
    }

    private static int maxWaiting(EngineSettings settings) {
        return settings.preload().maxJobs() - maxReady(settings);
    }

    @Nullable
    WheelStatus look(Duration patience) {
        try {
            return status(wheel.snapshot().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException busyOrStopped) {
            return null;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private WheelStatus status(WheelSnapshot slots) {
        Instant at = clock.storeTime().minusNanos(clock.nanoTime() - slots.atNanos());
        OptionalLong until = windowReader.readUntilMillis();
        WindowReader.LastRead last = windowReader.lastRead();
        return new WheelStatus(
                at,
                slots.nextNanos() == Long.MAX_VALUE ? null : at.plusNanos(slots.nextNanos()),
                waiting.size(),
                capacity,
                new WheelStatus.ReadAhead(
                        window,
                        until.isEmpty() ? null : Instant.ofEpochMilli(until.getAsLong()),
                        last == null ? null : new WheelStatus.LastRead(last.at(), last.rows(), last.took())),
                slots);
    }

    void startAnew() {
        waiting.clear();
        readWindowAnew();
    }

    void followPauses() {
        waiting.forgetPaused();
        readWindowAnew();
        sweeper.startAnew();
        roles.wake(Role.SWEEP);
        adopter.startAnew();
        roles.wake(Role.ADOPT);
    }

    private void readWindowAnew() {
        windowReader.startAnew();
        roles.wake(Role.WINDOW);
    }

    private record WheelAgent(TimingWheel wheel) implements Agent {

        @Override
        public String roleName() {
            return "wheel";
        }

        @Override
        public long doWork() {
            return wheel.poll();
        }
    }
}
