package io.delayjob.internal.engine;

import io.delayjob.internal.instance.ClusterListener;
import io.delayjob.internal.instance.HeartbeatTerms;
import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.instance.OwnEntry;
import io.delayjob.internal.lead.LeaseKeeper;
import io.delayjob.internal.lead.LeaseTerms;
import io.delayjob.internal.lead.ScopedLeases;
import io.delayjob.internal.preload.Outlook;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class LeadStation {

    private final EngineSettings settings;

    final Outlook outlook;
    final QueueNames queueNames;
    final Membership membership;
    final QueueChoice queues;
    final LeaseKeeper leases;

    LeadStation(EngineParts parts, Roles roles, ClusterListener news, Supplier<Vitals> vitals) {
        settings = parts.settings();
        outlook = new Outlook(parts.store(), parts.clock());
        queueNames = new QueueNames(settings, parts.handlers());
        queueNames.checkNumber();
        membership = new Membership(
                parts.store().instances(),
                parts.clock(),
                new OwnEntry(
                        settings.incarnation(),
                        queueNames::worked,
                        () -> settings.worker() ? parts.handlers().allNames() : Set.of(),
                        vitals::get),
                new HeartbeatTerms(
                        settings.cluster().heartbeat(), settings.cluster().liveness()),
                news,
                roles.waking(Role.HEARTBEAT));
        queues = new QueueChoice(settings, queueNames, this::registeredQueues, parts.clock());
        leases = new LeaseKeeper(
                new LeaseTerms(
                        new ScopedLeases(
                                parts.leases(),
                                () -> parts.store().identity(newIdentity(parts.random())),
                                parts.clock()::nanoTime),
                        settings.cluster().leaseDuration()),
                parts.clock(),
                membership,
                () -> queues.candidates(partitionsInUse()),
                parts.random(),
                parts.listeners(),
                () -> {
                    roles.wake(Role.CLAIM_PROMPT);
                    roles.wake(Role.LIMITS);
                    roles.wake(Role.WINDOW);
                    roles.wake(Role.SWEEP);
                    roles.wake(Role.RESCUE);
                });
        roles.assign(Role.LEASE, leases);
    }

    /** Returns eight random letters or digits, each of which has five random bits. */
    private static String newIdentity(RandomGenerator random) {
        long leadingOne = 1L << 40;
        return Long.toString(leadingOne | random.nextLong(leadingOne), 32).substring(1);
    }

    List<Partition> ledAndNotPaused() {
        return withoutPausedQueues(leases.led());
    }

    List<Partition> notLedAndNotPaused() {
        return withoutPausedQueues(leases.notLed());
    }

    private List<Partition> withoutPausedQueues(List<Partition> partitions) {
        Paused paused = membership.paused();
        return paused.queues().isEmpty()
                ? partitions
                : partitions.stream()
                        .filter(partition -> !paused.holdsQueue(partition.queue()))
                        .toList();
    }

    Map<Partition, Instant> partitionsInUse() {
        return outlook.youngerThan(settings.cluster().leaseDuration().dividedBy(4))
                .earliest();
    }

    Set<Partition> partitionsInUseNow() {
        return outlook.youngerThan(Duration.ZERO).earliest().keySet();
    }

    private Set<String> registeredQueues() {
        return membership.live().stream()
                .flatMap(sighting -> sighting.instance().queues().stream())
                .collect(Collectors.toSet());
    }

    QueueAdmission.@Nullable QueuesSeen queuesSeen() {
        Outlook.View view = outlook.lastIfYoungerThan(settings.cluster().leaseDuration());
        return view == null || membership.live().isEmpty()
                ? null
                : QueueAdmission.QueuesSeen.of(view.earliest().keySet(), registeredQueues(), view.asOfNanos());
    }
}
