package io.delayjob.spring.other;

import io.delayjob.annotation.DelayedJob;
import java.util.List;

/** A proxy of a subclass in another package cannot override the method. */
public abstract class HiddenMethod {

    private final List<String> sent = List.of();

    @DelayedJob("hidden")
    void run() {
        sent.size();
    }
}
