package io.delayjob.jdbc.outage;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the whole JVM logs until it is closed: the tests' logger writes to {@link System#err}. */
final class CapturedLog implements AutoCloseable {

    private static final Pattern HEAD = Pattern.compile("\\[[^\\]]*] (TRACE|DEBUG|INFO|WARN|ERROR) (\\S+) - (.*)");

    /** An entry with the lines of the stack that follow it. */
    record Entry(String level, String logger, String message, List<String> stack) {

        boolean isOfThePool() {
            return logger.startsWith("com.zaxxer.hikari");
        }
    }

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        captured.toString(StandardCharsets.UTF_8).lines().forEach(line -> {
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                entries.add(new Entry(head.group(1), head.group(2), head.group(3), new ArrayList<>()));
            } else if (!entries.isEmpty()) {
                entries.get(entries.size() - 1).stack.add(line);
            }
        });
        return entries;
    }

    /** Waits until there is such an entry. The log tells nobody that it has grown: so it is read again and again. */
    synchronized void await(Predicate<Entry> expected) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (entries().stream().noneMatch(expected)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Waited in vain; the log is " + entries());
            }
            wait(20);
        }
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
