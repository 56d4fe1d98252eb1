package io.delayjob.memory;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Stores the pauses of a {@link MemoryJobStore}. The lock of the {@link MemoryJobStore} guards this object. */
final class MemoryPauses {

    private final Map<String, PauseNote> handlers = new TreeMap<>();
    private final Map<String, PauseNote> queues = new TreeMap<>();

    boolean add(Paused what, PauseNote note) {
        return add(handlers, what.handlers(), note) | add(queues, what.queues(), note);
    }

    private static boolean add(Map<String, PauseNote> notes, Set<String> names, PauseNote note) {
        boolean isNews = false;
        for (String name : names) {
            isNews |= notes.putIfAbsent(name, note) == null;
        }
        return isNews;
    }

    boolean remove(Paused what) {
        return handlers.keySet().removeAll(what.handlers()) | queues.keySet().removeAll(what.queues());
    }

    Paused paused() {
        return new Paused(handlers.keySet(), queues.keySet());
    }

    List<PausedName> all() {
        return Stream.concat(named(PausedName.Kind.HANDLER, handlers), named(PausedName.Kind.QUEUE, queues))
                .toList();
    }

    private static Stream<PausedName> named(PausedName.Kind kind, Map<String, PauseNote> notes) {
        return notes.entrySet().stream().map(note -> new PausedName(kind, note.getKey(), note.getValue()));
    }
}
