package io.delayjob.proofs.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tlc2.TLC;

/**
 * Runs TLC. Each run has a separate JVM, because TLC keeps its state in static fields and ends its process. One
 * directory contains {@code <module>.tla}, {@code <module>.cfg} and {@code tlc.log}.
 */
final class ModelChecker {

    /** A search that finds a violation ends early. So the JVM should compile quickly instead of optimizing. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m");

    private static final List<String> LONG_RUN = List.of("-XX:+UseSerialGC", "-Xmx1g");

    private final Path directory;

    ModelChecker(Path directory) {
        this.directory = directory;
    }

    /** Counts how often each action is taken. */
    Verdict checkAll(Configuration configuration) {
        return run(configuration, LONG_RUN, List.of("-workers", "auto", "-coverage", "600"));
    }

    /** Takes half as long as {@link #checkAll}. */
    Verdict checkAllUncounted(Configuration configuration) {
        return run(configuration, LONG_RUN, List.of("-workers", "auto"));
    }

    /** With one worker, the search always finds the same violation, the shortest. */
    Verdict findViolation(Configuration configuration) {
        return run(configuration, QUICK_START, List.of("-workers", "1"));
    }

    private Verdict run(Configuration configuration, List<String> jvm, List<String> options) {
        String module = configuration.module();
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(module + ".tla"), configuration.source());
            Files.writeString(directory.resolve(module + ".cfg"), configuration.text());
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(jvm);
            command.addAll(List.of("-Djava.io.tmpdir=.", "-cp", jar(), TLC.class.getName()));
            // A state without a further step is no deadlock, because jobs end and bounds are reached.
            command.addAll(List.of("-deadlock", "-metadir", "states", "-cleanup", "-lncheck", "final"));
            command.addAll(options);
            command.add(module);
            return Verdict.of(configuration, output(command));
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    private String output(List<String> command) throws IOException {
        Path log = directory.resolve("tlc.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.waitFor();
        } catch (InterruptedException stopNow) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The check by TLC was interrupted.", stopNow);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
