package io.delayjob.internal.engine;

import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.maintain.GroupFold;
import io.delayjob.internal.maintain.LostRows;
import io.delayjob.internal.maintain.MinuteLog;
import io.delayjob.internal.maintain.MinuteWriter;
import io.delayjob.internal.maintain.Owners;
import io.delayjob.internal.maintain.Rescuer;
import io.delayjob.internal.maintain.Retention;
import io.delayjob.internal.maintain.UnhandledJobs;
import io.delayjob.job.JobState;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.Sighting;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreCapability;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class MaintainStation {

    final UnhandledJobs unhandled;
    final MinuteWriter minutes;
    final GroupFold groups;

    MaintainStation(EngineParts parts, Roles roles, LeadStation lead, PreloadStation preload, MinuteLog minuteLog) {
        EngineSettings settings = parts.settings();
        JobTransitions transitions = parts.transitions();
        unhandled = new UnhandledJobs(
                parts.store(),
                parts.store().instances(),
                lead.membership,
                () -> lead.partitionsInUse().keySet(),
                name -> parts.handlers().find(name) != null,
                parts.clock(),
                settings.cluster().liveness());
        roles.assign(
                Role.RESCUE,
                new Rescuer(
                        preload.reads,
                        lead.leases::led,
                        lead.leases::notLed,
                        new Owners(
                                lead.membership::departures,
                                () -> registered(lead.membership),
                                parts.store().instances()),
                        new LostRows(
                                lost -> transitions.rescue(
                                        lost,
                                        parts.clock().storeTime(),
                                        parts.random().nextLong()),
                                parts.store().placement()::groupOf,
                                preload.waiting,
                                preload.reads.listeners(),
                                parts.clock()),
                        settings.cluster().liveness()));
        roles.assign(
                Role.RETENTION,
                new Retention(
                        parts.store(),
                        parts.clock(),
                        Map.of(
                                JobState.FINISHED, settings.history().finished(),
                                JobState.CANCELLED, settings.history().cancelled(),
                                JobState.FAILED, settings.history().failed()),
                        () -> parts.handlers().all().stream()
                                .flatMap(handler -> Stream.ofNullable(handler.keepFor()))));
        roles.assign(Role.UNHANDLED, unhandled);
        minutes = new MinuteWriter(minuteLog, lead.membership, parts.clock());
        roles.assign(Role.STATISTICS, minutes);
        groups = new GroupFold(
                parts.store().capabilities().has(StoreCapability.GROUPS)
                        ? parts.store().groups()
                        : null,
                () -> isFirstOfWorkers(lead.membership),
                parts.clock(),
                parts.random(),
                settings.worker() ? preload.waiting : DueSink.NONE,
                parts.listeners(),
                settings.history().finished());
        roles.assign(Role.GROUPS, groups);
    }

    private static boolean isFirstOfWorkers(Membership membership) {
        return membership.live().stream()
                .map(Sighting::instance)
                .filter(row -> !row.queues().isEmpty() && !row.stopping())
                .noneMatch(row -> row.number() < membership.number());
    }

    private static Set<Long> registered(Membership membership) {
        return membership.live().stream()
                .map(sighting -> sighting.instance().number())
                .collect(Collectors.toSet());
    }
}
