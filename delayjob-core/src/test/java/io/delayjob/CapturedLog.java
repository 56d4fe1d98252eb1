package io.delayjob;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures the log until it is closed. The logger of the tests writes to {@link System#err}. */
public final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    public CapturedLog() {
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    public List<String> lines() {
        return captured.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** Returns the lines with this text. */
    public List<String> lines(String text) {
        return lines().stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
