package io.delayjob.actuate.endpoint;

import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The paused handlers and queues, with author, time and reason of each pause. */
record PausedDescriptor(Set<String> handlers, Set<String> queues, List<PauseDetail> details) {

    record PauseDetail(
            PausedName.Kind kind,
            String name,
            Instant since,
            @Nullable String by,
            @Nullable String reason) {}

    static PausedDescriptor of(List<PausedName> pauses) {
        return of(new Paused(named(pauses, PausedName.Kind.HANDLER), named(pauses, PausedName.Kind.QUEUE)), pauses);
    }

    /** @param known pauses with notes; they may have been read before or after {@code paused} */
    static PausedDescriptor of(Paused paused, List<PausedName> known) {
        return new PausedDescriptor(
                paused.handlers(),
                paused.queues(),
                known.stream()
                        .filter(pause -> (pause.kind() == PausedName.Kind.QUEUE ? paused.queues() : paused.handlers())
                                .contains(pause.name()))
                        .map(pause -> new PauseDetail(
                                pause.kind(),
                                pause.name(),
                                pause.note().since(),
                                pause.note().by(),
                                pause.note().reason()))
                        .toList());
    }

    private static Set<String> named(List<PausedName> pauses, PausedName.Kind kind) {
        return pauses.stream()
                .filter(pause -> pause.kind() == kind)
                .map(PausedName::name)
                .collect(Collectors.toSet());
    }
}
