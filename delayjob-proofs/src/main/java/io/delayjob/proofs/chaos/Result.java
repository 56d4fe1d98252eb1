package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of one or several rounds, as one line of text. Only the samples can change. */
record Result(
        String seed,
        long seconds,
        Map<String, Long> counts,
        Map<FaultKind, Long> faults,
        Map<Check, Long> violations,
        Samples recovery,
        Samples recoveryInTrouble,
        Samples firingAgain,
        Samples lateness) {

    private static final String NONE = "-";

    static Result of(long seed, Duration took, Figures figures, Map<Check, List<String>> violations) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("committed", figures.committed());
        counts.put("rolledBack", figures.rolledBack());
        counts.put("unknown", figures.unknown());
        counts.put("cancelled", figures.cancelled());
        counts.put("starts", figures.starts());
        counts.put("repeated", figures.repeated());
        counts.put("overlapping", figures.overlapping());
        counts.put("fenced", figures.fenced());
        counts.put("unplannedSilences", figures.unplannedSilences());
        Map<Check, Long> found = new EnumMap<>(Check.class);
        violations.forEach((check, list) -> found.put(check, (long) list.size()));
        return new Result(
                String.valueOf(seed),
                took.toSeconds(),
                counts,
                figures.faults(),
                found,
                figures.recovery(),
                figures.recoveryInTrouble(),
                figures.firingAgain(),
                figures.lateness());
    }

    static Result sum(List<Result> results) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
        Map<Check, Long> violations = new EnumMap<>(Check.class);
        Samples recovery = new Samples();
        Samples recoveryInTrouble = new Samples();
        Samples firingAgain = new Samples();
        Samples lateness = new Samples();
        for (Result result : results) {
            result.counts.forEach((name, count) -> counts.merge(name, count, Long::sum));
            result.faults.forEach((kind, count) -> faults.merge(kind, count, Long::sum));
            result.violations.forEach((check, count) -> violations.merge(check, count, Long::sum));
            recovery.addAll(result.recovery);
            recoveryInTrouble.addAll(result.recoveryInTrouble);
            firingAgain.addAll(result.firingAgain);
            lateness.addAll(result.lateness);
        }
        return new Result(
                results.size() + " rounds",
                results.stream().mapToLong(Result::seconds).sum(),
                counts,
                faults,
                violations,
                recovery,
                recoveryInTrouble,
                firingAgain,
                lateness);
    }

    String toText() {
        return String.join(
                "\t",
                seed,
                String.valueOf(seconds),
                text(counts),
                text(faults),
                text(violations),
                recovery.toText(),
                recoveryInTrouble.toText(),
                firingAgain.toText(),
                lateness.toText());
    }

    static Result parse(String line) {
        String[] fields = line.split("\t");
        Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
        counts(fields[3]).forEach((kind, count) -> faults.put(FaultKind.valueOf(kind), count));
        Map<Check, Long> violations = new EnumMap<>(Check.class);
        counts(fields[4]).forEach((check, count) -> violations.put(Check.valueOf(check), count));
        return new Result(
                fields[0],
                Long.parseLong(fields[1]),
                counts(fields[2]),
                faults,
                violations,
                Samples.parse(fields[5]),
                Samples.parse(fields[6]),
                Samples.parse(fields[7]),
                Samples.parse(fields[8]));
    }

    private static String text(Map<?, Long> counts) {
        return counts.isEmpty()
                ? NONE
                : counts.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    private static Map<String, Long> counts(String text) {
        Map<String, Long> counts = new LinkedHashMap<>();
        if (!text.equals(NONE)) {
            Arrays.stream(text.split(","))
                    .map(count -> count.split("="))
                    .forEach(count -> counts.put(count[0], Long.valueOf(count[1])));
        }
        return counts;
    }

    private static long total(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return """
                %s in %d s: %s
                  faults that took effect: %d %s
                  violations: %d %s
                  recovery after kill -9: %s
                  the same while others were kept from the database: %s
                  firing again after a database restart: %s
                  lateness in calm: %s""".formatted(
                        seed,
                        seconds,
                        counts,
                        total(faults),
                        faults,
                        total(violations),
                        violations,
                        recovery,
                        recoveryInTrouble,
                        firingAgain,
                        lateness);
    }
}
