package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

record HandlerSpec<P>(Handler handler, Scheduling parts) implements PayloadSpec<P> {

    @Override
    public ScheduleSpec with(P payload) {
        return withAll(payload);
    }

    @Override
    public BulkSpec<P> withEach(Collection<? extends P> each) {
        Stated.notNull(each, "payloads", "must be a collection; use an empty one for no jobs");
        List<P> snapshot = new ArrayList<>(each);
        List<Draft> drafts = parts.payloads().encodeEach(handler, snapshot).stream()
                .map(payload -> parts.filled(Draft.of(handler), handler, payload))
                .toList();
        return new BulkJobSpec<>(snapshot, drafts, Duration.ZERO, parts.planner(), parts.writer());
    }

    ScheduleSpec withAll(@Nullable Object... arguments) {
        return new JobSpec(
                parts.filled(Draft.of(handler), handler, parts.payloads().encode(handler, arguments)), parts);
    }
}
