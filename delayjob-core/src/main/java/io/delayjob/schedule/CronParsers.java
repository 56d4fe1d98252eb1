package io.delayjob.schedule;

import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

final class CronParsers {

    private static volatile @Nullable CronParser found;

    private CronParsers() {}

    static CronParser required(String expression) {
        CronParser known = found;
        if (known != null) {
            return known;
        }
        // Only a found parser is kept, because the context class loader of another thread may find one later.
        CronParser loaded = in(CronParser.class.getClassLoader())
                .or(() -> in(Thread.currentThread().getContextClassLoader()))
                .orElseThrow(() -> missing(expression));
        found = loaded;
        return loaded;
    }

    static Optional<CronParser> in(@Nullable ClassLoader classes) {
        return ServiceLoader.load(CronParser.class, classes).findFirst();
    }

    static IllegalStateException missing(String expression) {
        return new IllegalStateException(
                "No parser for cron expression '" + expression + "': " + CronParser.class.getName()
                        + " has no implementation on the class path; add io.delayjob:delayjob-spring-boot-starter,"
                        + " which brings Spring's, or name your own in META-INF/services");
    }
}
