package io.delayjob.benchmarks.wheel;

import java.util.List;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each part is a benchmark with a fixed number of timers, for our timer and the other timers that the part names. */
enum Part {
    SCHEDULE_BY_1(
            "Schedule one more, 1 M pending: ns",
            "ScheduleBenchmark.oneThread",
            "pending",
            1_000_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN JAVA_TIMER NONE"),
    SCHEDULE_BY_2(
            "Schedule one more, 1 M pending, two threads at once: ns",
            "ScheduleBenchmark.twoThreads",
            "pending",
            1_000_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN JAVA_TIMER NONE"),
    CANCEL_10K(
            "Cancel any one and schedule another, 10 k pending: ns",
            "CancelBenchmark",
            "pending",
            10_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN NONE"),
    CANCEL_1M(
            "Cancel any one and schedule another, 1 M pending: ns",
            "CancelBenchmark",
            "pending",
            1_000_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN NONE"),
    CANCEL_10M(
            "Cancel any one and schedule another, 10 M pending: ns",
            "CancelBenchmark",
            "pending",
            10_000_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN NONE"),
    EXPIRY_10K(
            "Expire 10 k, spread over a minute, cascades included: µs in all",
            "ExpiryBenchmark",
            "pending",
            10_000,
            "KAFKA AGRONA HEAP CAFFEINE"),
    EXPIRY_1M(
            "Expire 1 M, spread over a minute, cascades included: µs in all",
            "ExpiryBenchmark",
            "pending",
            1_000_000,
            "KAFKA AGRONA HEAP CAFFEINE"),
    EXPIRY_10M(
            "Expire 10 M, spread over a minute, cascades included: µs in all",
            "ExpiryBenchmark",
            "pending",
            10_000_000,
            "HEAP"),
    BURST(
            "Fire 1 M that come due within a second",
            "BurstBenchmark",
            "size",
            1_000_000,
            "NETTY KAFKA EXECUTOR FORK_JOIN"),
    MEMORY(
            "Hold 1 M, handles included",
            "MemoryBenchmark",
            "pending",
            1_000_000,
            "NETTY KAFKA AGRONA EXECUTOR FORK_JOIN JAVA_TIMER DELAY_QUEUE"),
    LATENESS_50K(
            "Lateness at 50,000 a second with 1 M pending: µs",
            "LatenessBenchmark",
            "rate",
            50_000,
            "NETTY KAFKA EXECUTOR FORK_JOIN"),
    LATENESS_1K("Lateness at 1,000 a second: µs", "LatenessBenchmark", "rate", 1_000, "NETTY EXECUTOR FORK_JOIN"),
    IDLE(
            "Hold 1 M that are far away, for a second",
            "IdleBenchmark",
            "pending",
            1_000_000,
            "NETTY KAFKA EXECUTOR FORK_JOIN NONE");

    static final String OURS = "DELAYJOB";

    private final String title;
    private final String benchmark;
    private final String parameter;
    private final int value;
    private final String peers;

    Part(String title, String benchmark, String parameter, int value, String peers) {
        this.title = title;
        this.benchmark = benchmark;
        this.parameter = parameter;
        this.value = value;
        this.peers = peers;
    }

    String title() {
        return title;
    }

    /** Our timer comes first. A timer that this JDK cannot run is left out. */
    List<String> timers() {
        return List.of((OURS + " " + peers).split(" ")).stream()
                .filter(name -> LiveTimers.FORK_JOIN.isAvailable() || !name.equals(LiveTimers.FORK_JOIN.name()))
                .toList();
    }

    Options options(String timers) {
        return new OptionsBuilder()
                .include(getClass().getPackageName() + "." + benchmark)
                .param(parameter, Integer.toString(value))
                .param("timers", timers)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }
}
